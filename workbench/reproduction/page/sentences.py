"""The result of a reproduction in sentences and a table of counts, for page and terminal."""

from collections.abc import Iterator

from workbench.base.text import count_of
from workbench.report.renderers.terminal import lines_of
from workbench.report.table import Cell, Table, number, whole
from workbench.reproduction.reproduction import Reproduction

__all__ = ["RULE", "WITHOUT_ABLATIONS", "counts_lines", "sentence", "unfinished", "without_ablations"]

#: How a cell is judged, in one line.
RULE = (
    "A cell agrees if the published value lies in the middle 95% of our statistic over as many units as the "
    "paper's (bootstrap of our units), or if at least 5% of our tests end as published; else it differs."
)
#: Shown in place of missing ablations.
WITHOUT_ABLATIONS = (
    "No ablation of a learner is given: name the store of a study of ablations with --ablations; for the "
    "papers of this repository run `make papers-ablations`."
)


def counts_lines(found: Reproduction) -> Iterator[str]:
    """Return the counts of every table, the rule, and the summary."""
    words = ("cells", "agree", "differ", "unknown")
    rows: list[tuple[Cell, ...]] = []
    for name, row in [*found.counts.iterrows(), ("all", found.counts.sum())]:
        rows.append((str(name), *[whole(row[word]) for word in words], number(row["expected_by_chance"], 1)))
    yield from lines_of([Table("", ("table", *words, "expected to differ by chance"), tuple(rows))])
    yield RULE
    yield sentence(found)
    yield from unfinished(found)
    yield from found.unjudged


def sentence(found: Reproduction) -> str:
    """Summarize in one sentence how much of a paper is reproduced."""
    total = found.counts.sum()
    cells = count_of(int(total["cells"]), "cell")
    agree, differ = (
        f"{total[word]:.0f} {word if round(total[word]) != 1 else word + 's'}" for word in ("agree", "differ")
    )
    return (
        f"Of {cells} printed in {found.paper}, {agree} with ours, {differ} "
        f"({_by_chance(float(total['expected_by_chance']))}), and {total['unknown']:.0f} cannot be judged."
    )


def unfinished(found: Reproduction) -> Iterator[str]:
    """Name the studies that are unfinished or have failed cells."""
    for name, results in (("study", found.results), ("study of the ablations", found.ablations)):
        states = [] if results is None else list(results.cells()["state"])
        pending, failed = states.count("pending"), states.count("failed")
        if pending:
            yield (
                f"The {name} is not finished: {count_of(pending, 'cell')} of {len(states)} still to come, "
                f"{failed} failed."
            )
        elif failed:
            yield f"Of the {name} {count_of(failed, 'cell')} of {len(states)} failed."


def without_ablations(found: Reproduction) -> Iterator[str]:
    """Explain how to add ablations, if there are none."""
    if found.ablations is None:
        yield WITHOUT_ABLATIONS


def _by_chance(expected: float) -> str:
    """Return how many cells of a perfect reproduction would differ by chance."""
    if expected < 0.5:
        return f"by chance alone {'hardly any' if expected else 'none'} would"
    return f"by chance alone {'about one' if expected < 1.5 else f'some {expected:.0f}'} would"
