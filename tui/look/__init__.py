"""Themes, palettes, glyphs and screenshots."""

from typing import Literal, get_args

ThemeName = Literal["dark", "light", "high-contrast", "high-contrast-light"]
"""The themes to choose from. High contrast: at least 7 to 1 for all text."""
THEMES: tuple[ThemeName, ...] = get_args(ThemeName)
