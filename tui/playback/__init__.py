"""Playback of one run in its own thread. No module here knows a widget."""
