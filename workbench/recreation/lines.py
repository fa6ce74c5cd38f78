"""What a re-creation says in a terminal: how many printed cells agree, and one sentence."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.text_table import aligned
from workbench.wording import count_of

if TYPE_CHECKING:
    from workbench.recreation.recreation import Recreation

__all__ = ["RULE", "counts_lines", "sentence"]

#: How a cell is judged, in one line.
RULE = (
    "A cell agrees if what is printed so lies in the middle 95% of what our statistic would be over as many "
    "units as the paper's (bootstrap of our units), or if at least 5% of our tests end as printed; else it "
    "differs."
)


def counts_lines(found: "Recreation") -> Iterator[str]:
    """Give the counts of every printed table, the rule, and the sentence.

    Parameters
    ----------
    found : Recreation

    Yields
    ------
    str
    """
    words = ("cells", "agree", "differ", "unknown")
    lines = [["table", *words, "expected to differ by chance"]]
    for name, row in [*found.counts.iterrows(), ("all", found.counts.sum())]:
        lines.append([str(name), *[f"{row[word]:.0f}" for word in words], f"{row['expected_by_chance']:.1f}"])
    yield from aligned(lines, words=(0,))
    yield RULE
    yield sentence(found)


def sentence(found: "Recreation") -> str:
    """Say in one sentence how much of what a paper prints is re-created.

    Parameters
    ----------
    found : Recreation

    Returns
    -------
    str
    """
    total = found.counts.sum()
    cells = count_of(int(total["cells"]), "cell")
    return (
        f"Of {cells} printed in {found.paper}, {total['agree']:.0f} agree with ours, "
        f"{total['differ']:.0f} differ (by chance alone some {total['expected_by_chance']:.0f} would), and "
        f"{total['unknown']:.0f} cannot be judged."
    )
