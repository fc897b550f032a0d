"""Widgets in three layers each: arithmetic, rows of spans (pure), and a thin Textual widget that shows them."""
