"""Every tree that C4.5 (release 8) and J48 (Weka) printed, line by line.

    program, table, tree                         equal  why not
    C4.5   weather.nominal, unpruned = pruned    yes
           weather.numeric, unpruned = pruned    yes
           contact-lenses, unpruned = pruned     yes
           iris, unpruned = pruned               yes
           labor, unpruned                       no     see DIFFERENT
           labor, pruned                         yes
           vote, unpruned and pruned             yes
           glass, pruned                         no     see DIFFERENT
           breast-cancer, pruned                 yes
           monk1, unpruned and pruned            yes
           monk3, unpruned and pruned            yes
    J48    all 18                                yes

Printed trees are compared as printed: tests, thresholds, the order of the lines, weights and errors to the
last printed digit. Where a program printed one tree, its pruned tree was the same as the unpruned one.
"""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from learners import C45Classifier, J48Classifier

GOLDEN = Path(__file__).parents[2] / "golden"
#: Trees that differ, since the program computes in single precision, and what its rounding decides.
DIFFERENT = {
    "C4.5 glass pruned": "between tests of equal gain",
    "C4.5 labor unpruned": (
        "7.6339283 rows less 0.1339286 with the wage missing are 7.4999995, not 7.5, so the cut at 2.1 with "
        "5.5 rows below leaves less than 2 above and is none"
    ),
}
#: Tables whose trees are the printed ones by default.
SACRED = {"iris", "golf", "weather.nominal", "weather.numeric", "contact-lenses"}
#: The tree of golf in Quinlan's book.
GOLF = """
outlook = overcast: Play (4.0)
outlook = sunny:
|   humidity <= 75 : Play (2.0)
|   humidity > 75 : Don't Play (3.0)
outlook = rain:
|   windy = true: Don't Play (2.0)
|   windy = false: Play (3.0)
"""
LINE = re.compile(
    r"(?P<indent>(\|   )*)(?P<attribute>\S+) (?P<sign>=|<=|>) (?P<value>[^:]+?) ?"
    r"(:(\[S(?P<below>\d+)\]| (?P<label>.+) \((?P<weight>[\d.]+)(/(?P<errors>[\d.]+))?\))?)?"
)


class Line(NamedTuple):
    """One branch of a printed tree."""

    depth: int
    attribute: str
    sign: str
    value: str | float
    label: str | None
    weight: float | None
    errors: float | None


def parsed(text: str) -> list[Line]:
    """Read a printed tree; subtrees that are printed below it are put where they belong."""
    blocks = re.split(r"Subtree \[S\d+\]", text)
    lines: list[Line] = []
    _parse(blocks, 0, 0, lines)
    return lines


def _parse(blocks: list[str], number: int, depth: int, lines: list[Line]) -> None:
    for row in blocks[number].strip("\n").splitlines():
        found = LINE.fullmatch(row.rstrip())
        assert found, f"no line of a tree: {row!r}"
        value = found["value"] if found["sign"] == "=" else float(found["value"])
        weight, errors = (None if found[k] is None else float(found[k]) for k in ("weight", "errors"))
        at = depth + len(found["indent"]) // 4
        lines.append(Line(at, found["attribute"], found["sign"], value, found["label"], weight, errors))
        if found["below"]:
            _parse(blocks, int(found["below"]), at + 1, lines)


class Printed(NamedTuple):
    """What a program printed of one tree."""

    program: str
    table: str
    prune: bool
    options: str
    tree: str
    figures: str  # the lines below the tree

    @property
    def id(self) -> str:
        return f"{self.program} {self.table} {'pruned' if self.prune else 'unpruned'} {self.options}".strip()

    def learner(self) -> C45Classifier | J48Classifier:
        if self.program == "C4.5":
            return C45Classifier(prune=self.prune)
        words = self.options.split()
        least = float(words[words.index("-M") + 1]) if "-M" in words else 2
        return J48Classifier(prune=self.prune, raising="-S" not in words, min_weight=least)


def c45_trees() -> list[Printed]:
    found = []
    for section in re.split(r"^## ", (GOLDEN / "c45_trees.md").read_text(), flags=re.M)[1:]:
        table, body = section.split("\n", 1)
        block = body.split("```")[1]
        figures = block[block.index("Evaluation on training") :]
        parts = re.split(
            r"^((?:Simplified )?Decision Tree:)\n", block[: block.index("Evaluation")], flags=re.M
        )
        trees = dict(zip(parts[1::2], parts[2::2], strict=True))
        for head, tree in trees.items():
            found.append(Printed("C4.5", table, head.startswith("Simplified"), "", tree, figures))
        if len(trees) == 1 and "Decision Tree:" in trees:  # nothing was simplified
            found.append(found[-1]._replace(prune=True))
    return found


def j48_trees() -> list[Printed]:
    found = []
    for section in re.split(r"^## ", (GOLDEN / "j48_trees.md").read_text(), flags=re.M)[1:]:
        head, body = section.split("\n", 1)
        table, _, options = head.partition(" ")
        tree = body.split("------------------\n")[1].split("Number of Leaves")[0]
        found.append(Printed("J48", table, "-U" not in options, options, tree, body))
    return found


TREES = [*c45_trees(), *j48_trees()]
EACH = pytest.mark.parametrize("printed", TREES, ids=lambda printed: printed.id)
C45 = pytest.mark.parametrize(
    "printed", [t for t in TREES if t.program == "C4.5"], ids=lambda printed: printed.id
)
J48 = pytest.mark.parametrize(
    "printed", [t for t in TREES if t.program == "J48"], ids=lambda printed: printed.id
)


@EACH
def test_the_tree_is_the_printed_one_but_for_known_differences(table, printed) -> None:
    learner = printed.learner().fit(*table(printed.table))
    assert is_printed(learner, printed) == (printed.id not in DIFFERENT)


def is_printed(learner: C45Classifier | J48Classifier, printed: Printed) -> bool:
    """Return whether a fitted learner's tree is the printed one, line by line."""
    ours, theirs = parsed(learner.export_text()), parsed(printed.tree)
    if printed.program == "C4.5" and printed.prune and "Simplified" not in printed.tree:
        ours, theirs = without_errors(ours, printed), without_errors(theirs, printed)
    return ours == theirs


def without_errors(lines: list[Line], printed: Printed) -> list[Line]:
    """Leave out the errors where the tree that was printed is the unpruned one, with training errors."""
    same = any(t.table == printed.table and not t.prune and t.tree == printed.tree for t in TREES)
    return [line._replace(errors=None) for line in lines] if same else lines


@C45
def test_size_errors_and_estimate_are_the_printed_ones(table, printed) -> None:
    X, y = table(printed.table)
    learner = printed.learner().fit(X, y)
    size, errors, rate = evaluation(printed)
    if printed.id in DIFFERENT:
        assert learner.n_nodes_ != size
        return
    assert learner.n_nodes_ == size
    assert int(np.sum(learner.predict(X) != y)) == errors
    if printed.prune:
        assert f"{100 * learner.estimated_error_:.1f}" == rate


def evaluation(printed: Printed) -> tuple[int, int, str]:
    """Read the line of figures below a tree: size, errors on the rows, and the estimate in per cent."""
    line = re.search(
        r"^\s+(\d+)\s+(\d+)\(.*?%\)\s+(\d+)\s+(\d+)\(.*?%\)\s+\(\s*([\d.]+)%\)", printed.figures, re.M
    )
    assert line
    return (int(line[3]), int(line[4]), line[5]) if printed.prune else (int(line[1]), int(line[2]), line[5])


@pytest.mark.parametrize("printed", [t for t in TREES if t.table.startswith("monk")], ids=lambda t: t.id)
def test_errors_on_the_test_rows_are_the_printed_ones(table, printed) -> None:
    learner = printed.learner().fit(*table(printed.table))
    X, y = table(printed.table, "test")
    on_test = printed._replace(figures=printed.figures.split("Evaluation on test data")[1])
    assert int(np.sum(learner.predict(X) != y)) == evaluation(on_test)[1]


@J48
def test_leaves_size_and_training_rows_right_are_the_printed_ones(table, printed) -> None:
    X, y = table(printed.table)
    learner = printed.learner().fit(X, y)
    leaves, size = map(int, re.findall(r"(?:Leaves|tree)\s+:\s+(\d+)", printed.figures))
    assert (learner.n_leaves_, learner.n_nodes_) == (leaves, size)
    assert int(np.sum(learner.predict(X) == y)) == int(re.search(r"right: (\d+)", printed.figures)[1])


def test_golf_is_the_tree_of_the_book(table) -> None:
    learner = C45Classifier().fit(*table("golf"))
    ours = [line._replace(errors=None) for line in parsed(learner.export_text())]
    assert ours == parsed(GOLF)
    assert round(learner.estimated_error_, 3) == 0.385


def test_these_are_all_trees_and_none_differs_that_must_not() -> None:
    assert len({(t.program, t.table, t.options, t.tree) for t in TREES}) == 14 + 18
    assert {t.id for t in TREES} > set(DIFFERENT)
    assert not {t.table for t in TREES if t.id in DIFFERENT} & SACRED


def test_a_cut_of_labor_is_possible_but_for_single_precision(table) -> None:
    tree = C45Classifier(prune=False).fit(*table("labor")).tree_
    assert tree.n_nodes == 22  # 17 as printed
    assert 2.1 in tree.threshold
    rows = [1 / 7.466666666666667, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 1]
    total = np.float32(0)
    for row in rows:
        total += np.float32(row)
    known = total - np.float32(rows[0])
    assert np.float32(known - 2) < 5.5 < sum(rows) - rows[0] - 2 + 1e-9
