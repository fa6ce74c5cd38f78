"""Numbers and labels as shown in texts and figures of models: on one line, without rounding noise."""

from html import escape
from typing import Any

__all__ = ["ShownText", "label_text", "number_text"]


def number_text(x: float) -> str:
    """Write a number with at most ten significant digits, without floating-point noise."""
    return f"{x:.10g}"


def label_text(label: Any) -> str:
    r"""Write the name of an attribute, a value or a class so that it is visible and stays on its line."""
    text = str(label)
    if not text.strip(" "):
        return repr(text)
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class ShownText(str):
    """Text in lines, which notebooks show as such and not as a string in quotation marks."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
