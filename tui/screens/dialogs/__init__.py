"""Dialogs shared by all screens: prompts, lists, the command palette, help, text pages."""
