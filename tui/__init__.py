"""The terminal laboratory: screens, widgets and the command line. It draws what the engine says and knows no solver."""

PROGRAM = "sudoku-tui"
"""What it is called on every command line and screen, and in the names of its folders."""
WEB_DRIVER = "textual.drivers.web_driver:WebDriver"
"""What TEXTUAL_DRIVER says where a browser draws the screen."""
