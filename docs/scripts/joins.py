"""Write docs/reference/joins.md: the bits that joins save.

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
TOP = """# Bits saved by joins

**Question.** How much shorter is the message of a decision graph than that of a decision tree?

**Design.** `MMLTreeClassifier` finds the tree with the shortest message. `MMLGraphClassifier` continues to a
graph and joins branches where that saves bits. The default code, `join_code="complete"`, states everything
that a receiver needs. `"pattern"` counts joins as Tan and Dowe's programs do, without stating which leaves
join. So its message cannot be decoded, and its extra savings are partly spurious. Learners have their
defaults, and lengths are bits for all rows. *Saved* is the tree's length minus the graph's.
`python docs/scripts/joins.py FOLDER` writes this page.
"""
ANSWER = """**Answer.** Joins save bits on {complete} of {n} data sets and for {of_concepts} of {n_concepts}
concepts. By `"pattern"` they do on {pattern} data sets.
"""
HEAD = ("rows", "tree", "graph", "joins", "saved", 'graph, "pattern"', 'joins, "pattern"', 'saved, "pattern"')


def main() -> None:
    """Measure and write the page."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    PAGE.write_text(page(table_rows(folder), concept_rows()), encoding="utf-8")


def page(of_tables: Iterable[list[str]], of_concepts: Iterable[list[str]]) -> str:
    """Return the text of the page."""
    tables, concepts = list(of_tables), list(of_concepts)
    right = (
        f"The {N_ATTRIBUTES} attributes are fair coins. The concept depends on the first ones, without "
        f"noise. *Right*: correct rows of the\n{2**N_ATTRIBUTES} possible ones, for the tree, the graph and "
        'the graph by `"pattern"`.'
    )
    answer = ANSWER.format(
        complete=_n_saving(tables, 5),
        pattern=_n_saving(tables, 8),
        n=len(tables),
        of_concepts=_n_saving(concepts, 5),
        n_concepts=len(concepts),
    )
    holte = table(["data set", *HEAD], tables)
    booleans = table(["concept", *HEAD, "right"], concepts)
    titles = ("## Holte's sixteen data sets", f"## Concepts of boolean attributes, {N_ROWS} rows")
    return "\n".join([TOP, answer, "\n\n".join([titles[0], holte, titles[1], right, booleans + "\n"])])


def _n_saving(rows: list[list[str]], column: int) -> int:
    """Count the rows whose cell of saved bits is positive."""
    return sum(float(row[column]) > 0 for row in rows)


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
