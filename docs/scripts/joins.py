"""Write docs/reference/joins.md, what joins save of a tree's message.

Usage: python docs/scripts/joins.py [FOLDER_OF_ARFF_FILES].
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners import MMLGraphClassifier, MMLTreeClassifier
from workbench.datasets import datasets_of, load_dataset
from workbench.report.notes import table

PAGE = Path(__file__).resolve().parents[1] / "reference" / "joins.md"
CODES = ("complete", "pattern")
N_ROWS, N_ATTRIBUTES = 1000, 8
Rows = NDArray[np.int64]


class Concept(NamedTuple):
    """A class that boolean attributes decide, in words and as a function of (n_rows, n_attributes) 0 or 1."""

    words: str
    holds: Callable[[Rows], Rows]


CONCEPTS = (
    Concept("(A and B) or (C and D)", lambda X: (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])),
    Concept("at least two of A, B, C, D", lambda X: (X[:, :4].sum(axis=1) >= 2).astype(int)),
    Concept(
        "(A and B) or (C and D) or (E and F)",
        lambda X: (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3]) | (X[:, 4] & X[:, 5]),
    ),
    Concept("C if A and B, else D and E", lambda X: np.where(X[:, 0] & X[:, 1], X[:, 2], X[:, 3] & X[:, 4])),
)
TOP = """# What joins save

`python docs/scripts/joins.py FOLDER` writes this page. `MMLTreeClassifier` finds the tree of the shortest
message, and `MMLGraphClassifier` goes on to the graph whose branches may join, where that saves bits. Joins
are stated in one of two codes. `join_code="complete"`, the default, states all that a receiver needs to
know of them. `"pattern"` counts them as Tan and Dowe's programs do: it does not state which leaves join, so
that nobody could read the message, and what it saves more is not all honest saving. Bits of all rows, each
learner with its defaults; *saved* is by how much the graph's message is shorter than the tree's. A graph
without joins is the tree.
"""
HEAD = ("rows", "tree", "graph", "joins", "saved", 'graph, "pattern"', 'joins, "pattern"', 'saved, "pattern"')


def main() -> None:
    """Measure and write the page."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    PAGE.write_text(page(table_rows(folder), concept_rows()), encoding="utf-8")


def page(of_tables: Iterable[list[str]], of_concepts: Iterable[list[str]]) -> str:
    """Return the text of the page."""
    right = (
        f"{N_ATTRIBUTES} attributes, even coins, of which the concept asks the first; no noise. "
        f"*Right*: how many of the {2**N_ATTRIBUTES} possible\nrows tree, graph and graph by patterns "
        "get right."
    )
    holte = table(["data set", *HEAD], of_tables)
    concepts = table(["concept", *HEAD, "right"], of_concepts)
    titles = ("## Holte's sixteen data sets", f"## Concepts of boolean attributes, {N_ROWS} rows")
    return "\n\n".join([TOP + "\n" + titles[0], holte, titles[1], right, concepts + "\n"])


def table_rows(folder: Path | None) -> Iterator[list[str]]:
    """Yield one row for each of Holte's data sets."""
    for each in datasets_of("2001"):
        X, y = load_dataset(each.key, data=folder)
        yield [each.code, *_cells(X, y)[0]]


def concept_rows() -> Iterator[list[str]]:
    """Yield one row per concept."""
    X = np.random.default_rng(0).integers(0, 2, (N_ROWS, N_ATTRIBUTES))
    every = (np.arange(2**N_ATTRIBUTES)[:, None] >> np.arange(N_ATTRIBUTES)) & 1
    for concept in CONCEPTS:
        cells, learners = _cells(X, concept.holds(X))
        right = [int((learner.predict(every) == concept.holds(every)).sum()) for learner in learners]
        yield [concept.words, *cells, ", ".join(map(str, right))]


def _cells(X: Any, y: Any) -> tuple[list[str], list[Any]]:
    """Return the cells of a line, and the fitted tree and graphs."""
    tree = MMLTreeClassifier().fit(X, y)
    graphs = [MMLGraphClassifier(join_code=code).fit(X, y) for code in CODES]
    cells = [str(len(X)), f"{tree.message_length_:.1f}"]
    for graph in graphs:
        saved = tree.message_length_ - graph.message_length_
        cells += [f"{graph.message_length_:.1f}", str(graph.n_joins_), f"{saved + 0.0:.1f}"]
    return cells, [tree, *graphs]


if __name__ == "__main__":
    main()
