"""Kiosk mode: a session confined to one directory."""
