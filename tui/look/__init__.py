"""Themes, glyph sets and screenshots."""
