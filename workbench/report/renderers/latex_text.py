"""Text for LaTeX."""

import re

from workbench.base.text import printable

__all__ = ["escape"]

#: What LaTeX does not take as it is.
SPECIAL = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "\u00b1": r"$\pm$",
    "\u2212": r"$-$",
    "\u221e": r"$\infty$",
    "\u2013": "--",
    "\u03b5": r"$\varepsilon$",
    "\u03b7": r"$\eta$",
    "\u00b2": r"$^2$",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    "\n": " ",
}
#: An infinite mean, which is followed by the number of cells.
INFINITE = re.compile(r"^(?P<sign>-?)inf(?= \()")


def escape(text: str) -> str:
    r"""Write text for LaTeX."""
    escaped = "".join(SPECIAL.get(letter, letter) for letter in printable(text).strip())
    return INFINITE.sub(lambda found: rf"${found['sign']}\infty$", escaped)
