"""Every tree and boosted sequence that C5.0 (release 2.07) printed, and its printed probabilities.

    table            trials  trees  probabilities  equal  why not
    weather.nominal    1       1        28          all
    weather.numeric    1       1        28          all
    contact-lenses     1       1        72          all
    contact-lenses    10       2         -          all
    iris               1       1       450          all
    iris              10      10       450          all
    labor              1       1       114          all
    labor             10       6       114          all

Text is compared line by line, with the trees that were rejected and the reason why boosting ended; sizes,
errors of each tree and errors of the vote as in the tables below; probabilities to the printed digits of the
program's single precision. The program's sets of rules (its option -r) are no part of this learner.
"""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from learners import C50Classifier

GOLDEN = Path(__file__).parents[2] / "golden"
NOT_SAID = "*** boosting reduced to 1 trial since last classifier is very accurate"


class Printed(NamedTuple):
    """What the program printed of one run."""

    table: str
    trials: int
    text: str


def printed_runs() -> list[Printed]:
    sections = re.split(r"^## ", (GOLDEN / "c50_trees.md").read_text(), flags=re.M)[1:]
    heads = [section.split("\n", 1)[0].split() for section in sections]
    texts = [section.split("```\n")[1] for section in sections]
    return [Printed(table, int(trials), text) for (table, trials), text in zip(heads, texts, strict=True)]


RUNS = printed_runs()
EACH = pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.table} {run.trials}")


def lines(text: str) -> list[str]:
    kept = [line.rstrip() for line in text.splitlines()]
    return [line.strip() if ":" not in line else line for line in kept if line and line != "Decision tree:"]


@EACH
def test_the_trees_are_the_printed_ones(table, run) -> None:
    learner = C50Classifier(trials=run.trials).fit(*table(run.table))
    assert lines(learner.export_text()) == lines(run.text.split("Evaluation")[0])


def test_every_printed_run_was_read() -> None:
    assert [(run.table, run.trials) for run in RUNS] == [
        ("weather.nominal", 1),
        ("weather.numeric", 1),
        ("contact-lenses", 1),
        ("contact-lenses", 10),
        ("iris", 1),
        ("iris", 10),
        ("labor", 1),
        ("labor", 10),
    ]


@pytest.mark.slow
@EACH
def test_sizes_and_errors_are_the_printed_ones(table, run) -> None:
    X, y = table(run.table)
    figures = run.text.split("Evaluation")[1]
    learner = C50Classifier(trials=run.trials, missing_sets="predicted").fit(X, y)
    wrong = int((learner.predict(X) != y).sum())
    assert f"{wrong}({100 * wrong / len(y):.1f}%)" in figures.replace("( ", "(")
    found = re.findall(r"^\s+\d+\s+(\d+)\s+(\d+)\(", figures, re.M)
    if found:
        assert [size_and_errors(learner, number, X, y) for number in range(len(learner.trees_))] == [
            (int(size), int(errors)) for size, errors in found
        ]
    else:
        assert learner.n_leaves_ == int(re.search(r"^\s+(\d+)\s+\d+\(", figures, re.M)[1])


def size_and_errors(learner: C50Classifier, number: int, X: pd.DataFrame, y: pd.Series) -> tuple[int, int]:
    """Count the leaves of one tree, and the rows that it alone gets wrong by its leaf frequencies."""
    one = C50Classifier(trials=learner.trials, probabilities="leaf").fit(X, y)
    one.trees_, one._of_leaves = one.trees_[number : number + 1], one._of_leaves[number : number + 1]
    return one.trees_[0].n_leaves, int((one.predict(X) != y).sum())


@pytest.mark.parametrize("name", ["weather.nominal", "weather.numeric"])
def test_a_first_tree_without_errors_ends_boosting(table, name) -> None:
    X, y = table(name)
    learner = C50Classifier(trials=10).fit(X, y)
    assert (len(learner.trees_), learner.rejected_trees_, learner.ended_) == (1, (), "very accurate")
    assert NOT_SAID in learner.export_text()
    np.testing.assert_array_equal(learner.predict_proba(X), C50Classifier().fit(X, y).predict_proba(X))


PROBABILITIES = pd.read_csv(GOLDEN / "c50_small_probs.csv")


@pytest.mark.parametrize(
    ("name", "trials"),
    [
        (name, int(key.removeprefix("C5.0_trials")))
        for name, key in PROBABILITIES.groupby(["dataset", "learner"]).groups
    ],
)
def test_the_probabilities_are_the_printed_ones(table, name, trials) -> None:
    X, y = table(name)
    cells = PROBABILITIES[
        (PROBABILITIES["dataset"] == name) & (PROBABILITIES["learner"] == f"C5.0_trials{trials}")
    ]
    learner = C50Classifier(trials=trials).fit(X, y)
    order = cells["class_order"].iloc[0].split("|")
    want = np.array([[float(p) for p in row.split(";")] for row in cells["probs"]])
    got = learner.predict_proba(X)[:, [learner.classes_.tolist().index(label) for label in order]]
    np.testing.assert_array_equal(cells["row"], np.arange(len(X)) + 1)
    np.testing.assert_allclose(got, want, atol=3e-7)  # five units of single precision at 1
    np.testing.assert_array_equal(learner.predict(X), cells["predicted"])


def test_votes_are_weighed_by_the_smoothed_probabilities(table) -> None:
    X, y = table("iris")
    smoothed = C50Classifier(trials=10).fit(X, y).predict_proba(X)
    raw = C50Classifier(trials=10, probabilities="leaf").fit(X, y).predict_proba(X)
    assert 1e-3 < np.abs(smoothed - raw).max() < 0.01
