"""What a report shows of a whole study: its figures, with their tables."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from workbench.analyses import Experiment
from workbench.base import catalogue
from workbench.figures import STUDY_FIGURES, Display, StudyDisplay
from workbench.figures._shared.base import HEIGHT, WIDTH
from workbench.report.document import Part, Picture, Text
from workbench.report.sections.study_tables import STUDY_TABLES
from workbench.report.words import source_word, word

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["is_tall", "study_figures", "study_parts"]

#: Times the usual height from which a figure may be higher than a screen.
TALL = 1.3


def study_figures() -> dict[str, type[StudyDisplay]]:
    """List the figures of a whole study by key, ours first, then those of installed packages."""
    others = {key: catalogue.find("figures", key) for key in catalogue.keys("figures")}
    return STUDY_FIGURES | {
        key: kind
        for key, kind in others.items()
        if isinstance(kind, type) and issubclass(kind, StudyDisplay) and key not in STUDY_FIGURES
    }


def study_parts(results: "StudyResults", experiments: Sequence[Experiment]) -> Iterator[Part]:
    """Draw every figure of the whole study that can be made; their tables stand below."""
    for key, kind in study_figures().items():
        made = list(kind.reported(results, experiments))
        displays = [one for one in made if not isinstance(one, str)]
        for i, display in enumerate(displays):
            yield _picture(results, key, display, i)
        yield from (STUDY_TABLES[key](display) for display in displays if key in STUDY_TABLES)
        yield from (Text(one) for one in made if isinstance(one, str))


def is_tall(display: Display) -> bool:
    """Return whether a figure has so many lines that a screen's height would make them too small to read."""
    return display.height > TALL * HEIGHT


def _picture(results: "StudyResults", key: str, display: StudyDisplay, i: int) -> Picture:
    if display.source is None:
        name, title = f"{key} {i + 1}" if i else key, display.title
    else:
        name, title = f"{key} {source_word(results, display.source)}", f"{display.title}: {display.kind}"
    return Picture(
        word(name), title, display.caption, display.sketch, display.width > WIDTH, is_tall(display)
    )
