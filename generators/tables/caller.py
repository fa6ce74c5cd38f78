"""The place in a user's code to which a warning points."""

import sys

__all__ = ["user_level"]

#: Packages that warnings should not point to.
OURS = ("generators", "learners", "workbench", "contextlib", "functools")


def user_level() -> int:
    """Return the stack level with which a warning of the caller points outside our packages."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
        level, frame = level + 1, frame.f_back
    return level
