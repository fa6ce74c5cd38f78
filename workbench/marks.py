"""Two lines of a hand-written page between which a program writes."""

from workbench.errors import WorkbenchError

__all__ = ["END", "START", "between_marks", "has_marks"]

START, END = "<!-- generated -->", "<!-- end -->"


def has_marks(text: str) -> bool:
    """Say whether a page has one of the marks at least.

    Parameters
    ----------
    text : str

    Returns
    -------
    bool
    """
    return START in text or END in text


def between_marks(text: str, inserted: str, *, start: str = START, end: str = END) -> str:
    r"""Replace what stands between the marks of a page.

    Parameters
    ----------
    text : str
        The page.
    inserted : str
        What is to stand there; blank lines around it are set anew.
    start, end : str
        The marks.

    Returns
    -------
    str
        All outside the marks as it was.

    Raises
    ------
    WorkbenchError
        If a mark is missing, is there twice, or the end comes first.

    Examples
    --------
    >>> between_marks("mine\n<!-- generated -->\nold\n<!-- end -->\nmine too", "new").split("\n")
    ['mine', '<!-- generated -->', '', 'new', '', '<!-- end -->', 'mine too']
    """
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise WorkbenchError(
            f"the page needs the lines {start} and {end}, once each and in this order: add them"
        )
    before, after = text.split(start)[0], text.split(end)[1]
    return f"{before}{start}\n\n{inserted.strip()}\n\n{end}{after}"
