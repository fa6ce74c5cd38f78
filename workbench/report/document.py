"""The parts of a report, independent of the format."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.analyses.verdict import answer_sentence
from workbench.report.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FOOTER", "Document", "Part", "Picture", "Section", "Text"]

#: How the last line of a study's page begins; a page without such a line is somebody else's.
FOOTER = re.compile(r"^Seed \d+; ", re.MULTILINE)


@dataclass(frozen=True)
class Picture:
    """A figure.

    Parameters
    ----------
    name : str
        Name of its file, if any: lower case letters, digits and underscores, unique in the report.
    title : str
    caption : str
    sketch : callable
        Draws the figure; called within the settings of the page.
    wide : bool
        Whether it takes the whole width of a page.
    tall : bool
        Whether it may be higher than a screen because of its many lines.
    """

    name: str
    title: str
    caption: str
    sketch: "Callable[[], Figure]"
    wide: bool = False
    tall: bool = False


@dataclass(frozen=True)
class Text:
    """A paragraph, or verbatim text.

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
    region : str
        Name of the region of a Markdown page that it stands in, if it is not part of the generated section;
        see `Document.regions`.
    """

    title: str
    parts: tuple[Part, ...]
    region: str = ""

    @property
    def anchor(self) -> str:
        """The heading as an anchor for links."""
        return "-".join("".join(c if c.isalnum() else " " for c in self.title.lower()).split())


@dataclass(frozen=True)
class Document:
    """A report.

    Parameters
    ----------
    title : str
        What was compared on what, in words.
    subtitle : str
        What the study is, in one line.
    opening, surety : str
        How learners were scored and tested.
    parts : tuple of str
        The answer for each source; with `opening` before and `surety` after them it is one sentence.
    winners : tuple of str
        Learners that win somewhere, to highlight.
    pictures : tuple of Picture
        The figure of the first screen: one panel per source.
    caption : str
        Caption of all panels.
    sections : tuple of Section
    footer : str
        The last line; that of a study begins as `FOOTER` says.
    question, meaning : str
        What was asked, and what the score is; a sentence each.
    failures : tuple of str
        Which learners failed, how often and why.
    matrices : tuple of Table
        How every learner stands; `matrix_note` explains their words.
    matrix_note : str
    regions : tuple of str
        Regions of a Markdown page with their own markers, such as <!-- ablations --> and
        <!-- ablations end -->: one that no section is of stays as it stands in the page.
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
    question: str = ""
    meaning: str = ""
    failures: tuple[str, ...] = ()
    matrices: tuple[Table, ...] = ()
    matrix_note: str = ""
    regions: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """The answer as one sentence."""
        return answer_sentence(self.opening, self.parts, self.surety)

    @property
    def lead(self) -> tuple[str, ...]:
        """The paragraphs of the first screen before its matrices."""
        asked = " ".join(filter(None, (self.question, self.meaning)))
        return tuple(filter(None, (self.subtitle, asked, self.answer, *self.failures)))
