"""Numbers and labels as texts and pictures of models show them: on one line, without noise."""

from typing import Any

__all__ = ["label_text", "number_text"]


def number_text(x: float) -> str:
    """Write a number with the digits that count, at most ten, and no noise of floating point.

    Examples
    --------
    >>> number_text(0.1 + 0.2), number_text(75.0), number_text(0.36485722486725036)
    ('0.3', '75', '0.3648572249')
    """
    return f"{x:.10g}"


def label_text(label: Any) -> str:
    r"""Write the name of an attribute, a value or a class so that it is seen and stays on its line.

    Parameters
    ----------
    label : object
        What it is called.

    Returns
    -------
    str
        Its text; blank text in quotes; line breaks, tabs and the like as `repr` writes them.

    Examples
    --------
    >>> label_text("sunny"), label_text(3), label_text(""), label_text("a\tb")
    ('sunny', '3', "''", 'a\\tb')
    """
    text = str(label)
    if not text.strip(" "):
        return repr(text)
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
