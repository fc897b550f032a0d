"""The terminal interface: screens, widgets and the command line. It draws plain data of the engine and knows no solver.

See `tui/README.md`.
"""

PROGRAM = "sudoku-tui"
"""The name of the program: the command, and the folders of its files."""
WEB_DRIVER = "textual.drivers.web_driver:WebDriver"
"""The value of TEXTUAL_DRIVER when a browser draws the screen."""
