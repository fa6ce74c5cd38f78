"""What a report consists of, before anybody decides how it looks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.report.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Document", "Part", "Picture", "Section", "Text"]


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
