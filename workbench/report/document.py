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
    """A figure."""

    name: str  # of its file, if any: lower case letters, digits, underscores; unique in the report
    title: str
    caption: str
    sketch: "Callable[[], Figure]"  # draws the figure; called within the settings of the page
    wide: bool = False  # whether it takes the whole width of a page
    tall: bool = False  # whether it may be higher than a screen because of its many lines


@dataclass(frozen=True)
class Text:
    """A paragraph, or verbatim text."""

    content: str
    verbatim: bool = False


Part = Table | Picture | Text


@dataclass(frozen=True)
class Section:
    """A part of the report under a heading."""

    title: str
    parts: tuple[Part, ...]
    region: str = ""  # of a Markdown page, if it is not part of the generated section
    # Titles of the tables that stay in a page with markers; the others become files beside it. None: all stay
    stays: tuple[str, ...] | None = None

    @property
    def anchor(self) -> str:
        """The heading as an anchor for links."""
        return "-".join("".join(c if c.isalnum() else " " for c in self.title.lower()).split())


@dataclass(frozen=True)
class Document:
    """A report."""

    title: str  # what was compared on what, in words
    subtitle: str  # what the study is, in one line
    opening: str  # how learners were scored
    parts: tuple[str, ...]  # the answer for each source: one sentence with `opening` and `surety` around
    surety: str  # how learners were tested
    winners: tuple[str, ...]  # learners that win somewhere, to highlight
    pictures: tuple[Picture, ...]  # the figure of the first screen: one panel per source
    caption: str  # of all panels
    sections: tuple[Section, ...]
    footer: str  # the last line; that of a study begins as `FOOTER` says
    question: str = ""  # what was asked, in a sentence
    meaning: str = ""  # what the score is, in a sentence
    failures: tuple[str, ...] = ()  # which learners failed, how often and why
    matrices: tuple[Table, ...] = ()  # how every learner stands
    matrix_note: str = ""
    # of a Markdown page, between <!-- ablations --> and <!-- ablations end -->; kept if no section is of it
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
