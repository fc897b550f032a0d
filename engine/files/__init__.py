"""Access to files that users name (`access`) and atomic writing (`atomic`)."""
