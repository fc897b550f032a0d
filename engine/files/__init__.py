"""Access to files that people name, and files that are written whole or not at all."""
