"""The terminal laboratory: screens, widgets and the command line. It draws what the engine says and knows no solver."""
