"""What a report consists of, before anybody decides how it looks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Cell", "Document", "Number", "Part", "Picture", "Section", "Table", "Text"]


@dataclass(frozen=True)
class Number:
    """A number in a table.

    Parameters
    ----------
    text : str
        As it is printed; it may have two lines, which are one where a form has no room for two.
    value : float
        In full, for sorting and for programs that read the report.
    name : str
        What it is, as words between "|" that occur once in the report; empty for numbers nobody looks up.
    low, high : float
        Ends of its interval; NaN where it has none.
    strong : bool
        Whether it is set in bold, for the eye.
    """

    text: str
    value: float
    name: str = ""
    low: float = float("nan")
    high: float = float("nan")
    strong: bool = False


Cell = str | Number


@dataclass(frozen=True)
class Table:
    """A table.

    Parameters
    ----------
    title : str
        One line above it.
    columns : tuple of str
    rows : tuple of tuple of Cell
    note : str
        What one must know to read it.
    n_grey : int
        How many of its last columns are of less weight, so that they are set in grey where there are colors.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    n_grey: int = 0

    def is_numeric(self, column: int) -> bool:
        """Return whether a column holds numbers, which are set to the right."""
        return any(isinstance(row[column], Number) for row in self.rows)

    def is_grey(self, column: int) -> bool:
        """Return whether a column is of less weight."""
        return column >= len(self.columns) - self.n_grey


@dataclass(frozen=True)
class Picture:
    """A figure.

    Parameters
    ----------
    name : str
        Names its file where it has one: lower case letters, digits and underscores, once in the report.
    title : str
    caption : str
    sketch : callable
        Draws it; called within the settings of the page.
    wide : bool
        Whether it takes the whole width of a page.
    tall : bool
        Whether it may be higher than a screen, as it has so many lines that they could not be read else.
    """

    name: str
    title: str
    caption: str
    sketch: "Callable[[], Figure]"
    wide: bool = False
    tall: bool = False


@dataclass(frozen=True)
class Text:
    """A paragraph, or text that is to be shown as it is typed.

    Parameters
    ----------
    content : str
    verbatim : bool
    """

    content: str
    verbatim: bool = False


Part = Table | Picture | Text


@dataclass(frozen=True)
class Section:
    """A part of the report under a heading.

    Parameters
    ----------
    title : str
    parts : tuple of Part
    """

    title: str
    parts: tuple[Part, ...]

    @property
    def anchor(self) -> str:
        """The heading as a word for links."""
        return "-".join("".join(c if c.isalnum() else " " for c in self.title.lower()).split())


@dataclass(frozen=True)
class Document:
    """A report.

    Parameters
    ----------
    title : str
        The study's name.
    subtitle : str
        What the study is, in one line.
    opening, surety : str
        How learners were judged and tested.
    parts : tuple of str
        The answer for each source; with `opening` before and `surety` after them it is one sentence.
    winners : tuple of str
        Learners that win somewhere, for the eye.
    pictures : tuple of Picture
        The figure of the first screen: one panel a source.
    caption : str
        Of all these panels.
    sections : tuple of Section
    footer : str
    """

    title: str
    subtitle: str
    opening: str
    parts: tuple[str, ...]
    surety: str
    winners: tuple[str, ...]
    pictures: tuple[Picture, ...]
    caption: str
    sections: tuple[Section, ...]
    footer: str
