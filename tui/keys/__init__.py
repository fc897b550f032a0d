"""Key bindings, and the changes to them that a user configures."""
