"""A display of progress that keeps the lines that a user would be shown."""

from workbench.engine.progress import Silent

__all__ = ["Notes"]


class Notes(Silent):
    """Keep the lines.

    Attributes
    ----------
    lines : list of str
    """

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def note(self, line: str) -> None:
        """Keep a line."""
        self.lines.append(line)
