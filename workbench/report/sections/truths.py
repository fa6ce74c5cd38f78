"""The truths of a study as a report shows them: the first of each source, and how many were passed over."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.analyses._shared.subjects import truths_of
from workbench.base.text import count_of
from workbench.report.document import Part, Picture, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.section import ReportSection, with_sizes
from workbench.report.words import source_word, word
from workbench.store.restored_study import stored_sources
from workbench.store.results import StudyResults
from workbench.study.source import Source

if TYPE_CHECKING:
    from generators.targeted import Drawn

__all__ = ["SECTION"]

#: Truths drawn after which no further replicate is drawn again; one takes 2 to 40 ms with its Bayes error.
MOST_DRAWS = 200


def _parts(findings: Findings) -> Iterator[Part]:
    """Draw the first truth of each source, if the store knows how to make it."""
    results = findings.results
    try:
        made = stored_sources(results.study)
        sources = {key: one for key, one in made.items() if isinstance(one, Source)}
        truths = {key: one.draw(seed=results.study.seed, replicate=0) for key, one in sources.items()}
    except Exception:
        return
    for key, truth in truths.items():
        if hasattr(truth, "plot"):
            yield Picture(
                word(f"truth {source_word(results, key)}"),
                f"The first of {truths_of(key)}",
                f"{truth!r}. Arrows lead from parents to children. The class is on top.",
                _network_sketch(truth),
                wide=hasattr(truth, "components"),
            )
    try:
        yield from [Text(sentence) for sentence in _passed_over(results, sources)]
    except Exception:
        return  # of a later replicate there was no such truth, which its cells report


def _passed_over(results: StudyResults, sources: "dict[str, Source]") -> Iterator[str]:
    """Report for each source with bounds how many truths it took to find those of the study."""
    cells = results.cells()
    drawn = 0
    for key, source in sources.items():
        if not _bounds(source):
            continue
        replicates = sorted(cells["replicate"][cells["source"] == key].unique())
        tries, refused = list[int](), 0
        for replicate in replicates:
            if drawn > MOST_DRAWS:
                break
            found: Drawn = source.drawn(seed=results.study.seed, replicate=int(replicate))
            if not found.found:
                break  # the generator takes a parameter of that name itself
            tries.append(found.tries)
            drawn += found.tries
            refused += len(found.refused)
        if tries:
            yield _sentence(key, _bounds(source), tries, refused, len(replicates))


def _bounds(source: Source) -> dict[str, Any]:
    from generators.targeted import TARGETS

    return {name: source.parameters[name] for name in TARGETS if name in source.parameters}


def _sentence(key: str, bounds: dict[str, Any], tries: list[int], refused: int, n: int) -> str:
    asked = " and ".join(
        f"{name.replace('_', ' ')} from {low:g} to {high:g}" for name, (low, high) in bounds.items()
    )
    which = f"its {n} truths" if len(tries) == n else f"the first {len(tries)} of its {n} truths"
    rarer = f" It rejected {count_of(refused, 'size')} without such a truth." if refused else ""
    return (
        f"Source {key} draws a size, then truths of this size until one has {asked}. For {which} it drew "
        f"{np.mean(tries):.1f} each on average and {max(tries)} at most.{rarer}"
    )


def _network_sketch(truth: Any) -> Callable[[], Any]:
    def sketch() -> Any:
        drawn = truth.plot()
        axes = drawn if hasattr(drawn, "get_figure") else drawn.flat[0]
        figure = axes.get_figure()
        import matplotlib.pyplot as plt

        plt.close(figure)  # it lives on without pyplot
        return figure

    return sketch


SECTION = ReportSection(70, "Truths", _parts, with_sizes)
