"""What a re-creation says in a terminal: how many printed cells agree, and one sentence."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.base.text import count_of
from workbench.report.renderers.text_table import aligned

if TYPE_CHECKING:
    from workbench.reproduction.reproduction import Recreation

__all__ = ["RULE", "WITHOUT_SWITCHES", "counts_lines", "sentence", "unfinished", "without_switches"]

#: How a cell is judged, in one line.
RULE = (
    "A cell agrees if what is printed so lies in the middle 95% of what our statistic would be over as many "
    "units as the paper's (bootstrap of our units), or if at least 5% of our tests end as printed; else it "
    "differs."
)
#: What stands in the place of switches that are not given.
WITHOUT_SWITCHES = (
    "No learner is turned: give the store of a study of switches with --switches; for the papers of this "
    "repository run `make papers-switches`."
)


def counts_lines(found: "Recreation") -> Iterator[str]:
    """Return the counts of every printed table, the rule, and the sentence."""
    words = ("cells", "agree", "differ", "unknown")
    lines = [["table", *words, "expected to differ by chance"]]
    for name, row in [*found.counts.iterrows(), ("all", found.counts.sum())]:
        lines.append([str(name), *[f"{row[word]:.0f}" for word in words], f"{row['expected_by_chance']:.1f}"])
    yield from aligned(lines, words=(0,))
    yield RULE
    yield sentence(found)
    yield from unfinished(found)
    yield from found.untold


def sentence(found: "Recreation") -> str:
    """Say in one sentence how much of what a paper prints is re-created."""
    total = found.counts.sum()
    cells = count_of(int(total["cells"]), "cell")
    agree, differ = (
        f"{total[word]:.0f} {word if round(total[word]) != 1 else word + 's'}" for word in ("agree", "differ")
    )
    return (
        f"Of {cells} printed in {found.paper}, {agree} with ours, {differ} "
        f"({_by_chance(float(total['expected_by_chance']))}), and {total['unknown']:.0f} cannot be judged."
    )


def unfinished(found: "Recreation") -> Iterator[str]:
    """Say which study is not run to its end, or has cells that failed."""
    for name, results in (("study", found.results), ("study of the switches", found.switches)):
        states = [] if results is None else list(results.cells()["state"])
        pending, failed = states.count("pending"), states.count("failed")
        if pending:
            yield (
                f"The {name} is not finished: {count_of(pending, 'cell')} of {len(states)} still to come, "
                f"{failed} failed."
            )
        elif failed:
            yield f"Of the {name} {count_of(failed, 'cell')} of {len(states)} failed."


def without_switches(found: "Recreation") -> Iterator[str]:
    """Say how settings are turned, where none are."""
    if found.switches is None:
        yield WITHOUT_SWITCHES


def _by_chance(expected: float) -> str:
    """Say how many cells would differ though all is re-created."""
    if expected < 0.5:
        return f"by chance alone {'hardly any' if expected else 'none'} would"
    return f"by chance alone {'about one' if expected < 1.5 else f'some {expected:.0f}'} would"
