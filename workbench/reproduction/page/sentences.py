"""The result of a reproduction in sentences and a table of counts, for page and terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.base.text import count_of
from workbench.report.renderers.terminal import lines_of
from workbench.report.table import Cell, Table, number, whole
from workbench.reproduction.ablations import SharedRows
from workbench.reproduction.counts import SCORES, TESTS
from workbench.reproduction.judging.finding import AGREE, DIFFER, JUDGED, NEAR, UNKNOWN
from workbench.reproduction.reproduction import Reproduction
from workbench.reproduction.units import Units

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = [
    "RULE",
    "WITHOUT_ABLATIONS",
    "counts_lines",
    "few_shared",
    "nearness",
    "sentence",
    "unfinished",
    "unfinished_study",
    "without_ablations",
]

#: How a cell is judged.
RULE = (
    "A score agrees if the published value lies in the middle 95% of our statistic over as many units as the "
    "paper's (bootstrap of our units). A test agrees if at least 5% of our tests end as published. A score "
    "that does not agree is near within the threshold of its table, and differs otherwise. Agreement depends "
    "on the power of both studies, not only on how close the numbers are. Cells of one data set are "
    "dependent, so data sets are also counted."
)
#: Shown in place of missing ablations.
WITHOUT_ABLATIONS = (
    "No ablation of a learner is given: name the store of a study of ablations with --ablations. What a page "
    "has of ablations from an earlier run stays as it is."
)


def counts_lines(found: Reproduction) -> Iterator[str]:
    """Return the counts of every table, the totals, the rule, and the summary."""
    words = ("cells", *JUDGED, UNKNOWN)
    rows: list[tuple[Cell, ...]] = []
    for name, row in [*found.counts.iterrows(), *found.totals.iterrows()]:
        rows.append((str(name), *[whole(row[word]) for word in words], number(row["expected_by_chance"], 1)))
    yield from lines_of([Table("", ("table", *words, "expected by chance"), tuple(rows))])
    yield RULE
    yield sentence(found)
    yield from unfinished(found)
    yield from found.unjudged


def sentence(found: Reproduction) -> str:
    """Summarize in one sentence how much of a paper is reproduced."""
    total, totals = found.total, found.totals
    if not total["judged"]:
        return f"No score cell and no test printed as significant in {found.paper} can be judged."
    kinds = [f"{totals.loc[kind, 'judged']:.0f} {kind}" for kind in (SCORES, TESTS) if kind in totals.index]
    words = {AGREE: "agree with ours", NEAR: nearness(found), DIFFER: "differ"}
    parts = [
        f"{total[word]:.0f} {_verb(total[word], words[word])} ({total[f'{word}_share']:.0%})"
        for word in JUDGED
        if words[word]
    ]
    return (
        f"Of the {count_of(int(total['judged']), 'judged cell')} of {found.paper} ({' and '.join(kinds)}), "
        f"{', '.join(parts[:-1])} and {parts[-1]}. Chance would explain "
        f"{_few(float(total['expected_by_chance']))} that do not agree, and {total['unknown']:.0f} cannot be "
        "judged."
    )


def _verb(n: float, words: str) -> str:
    verb, _, rest = words.partition(" ")
    return f"{verb}{'s' if n == 1 else ''} {rest}".rstrip()


def _few(expected: float) -> str:
    if expected < 0.5:
        return "hardly any" if expected else "none"
    return "about one" if expected < 1.5 else f"some {expected:.0f}"


def nearness(found: Reproduction) -> str:
    """Return the words for near cells, with the thresholds of the tables; nothing if there are none."""
    known = [table for table in found.printed.tables if table.threshold]
    units = {table.threshold: " points of per cent" if table.is_percent else "" for table in known}
    words = [f"{threshold:g}{units[threshold]}" for threshold in sorted(units)]
    return f"differ by less than {' or '.join(words)}" if words else ""


def unfinished(found: Reproduction) -> Iterator[str]:
    """Name the studies that are unfinished or have failed cells."""
    yield from unfinished_study(found.results, "study")
    if found.ablations is not None:
        yield from unfinished_study(found.ablations, "study of the ablations")


def unfinished_study(results: "StudyResults", name: str) -> Iterator[str]:
    """Say that a study is unfinished or has failed cells."""
    states = list(results.cells()["state"])
    pending, failed = states.count("pending"), states.count("failed")
    if pending:
        yield (
            f"The {name} is not finished: {count_of(pending, 'cell')} of {len(states)} still to come, "
            f"{failed} failed."
        )
    elif failed:
        yield f"Of the {name} {count_of(failed, 'cell')} of {len(states)} failed."


def few_shared(found: Reproduction) -> Iterator[str]:
    """Say on how many splits of a data set the ablations are compared, if not on all of the study's."""
    if found.ablations is None:
        return
    shared = SharedRows(Units(found.results), Units(found.ablations))
    sources = found.cells.loc[found.cells["dataset"] != "", "dataset"].unique()
    n = [len(shared.places(source)) for source in sources]
    of = max(len(shared.units.digests(source)) for source in sources)
    if min(n) < of:
        least = f"{min(n)}" if min(n) == max(n) else f"{min(n)} to {max(n)}"
        yield (
            f"The ablations share {least} of the {of} splits of the study on a data set. With fewer splits "
            "ours is noisier, and more cells agree or move by chance."
        )


def without_ablations(found: Reproduction) -> Iterator[str]:
    """Explain how to add ablations, if there are none."""
    if found.ablations is None:
        yield WITHOUT_ABLATIONS
