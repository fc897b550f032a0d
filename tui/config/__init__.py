"""Settings, the configuration file, and the directories that the program uses."""
