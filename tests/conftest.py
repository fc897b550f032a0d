"""Property tests try the same examples everywhere and never fail for being slow."""

from hypothesis import settings

settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed")
