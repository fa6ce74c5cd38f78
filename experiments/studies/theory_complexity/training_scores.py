"""Compute, from the training rows alone, what else could choose a learner: cross-validation, BIC, messages.

Run from the root of the repository; resumable, as every source (data set, or kind of truth) has its own file:

    python experiments/studies/theory_complexity/training_scores.py STUDY.toml --to FOLDER [--data FOLDER]

Draws the rows of the study again, fits every learner to the training rows, and ten times to nine tenths of
them. Writes FOLDER/SOURCE.csv, which write_notes.py joins with the store. One column is of the test rows:
IR_B where the leaves of all learners estimate probabilities alike.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold

from learners.code_lengths.theory import decision_bits
from learners.code_lengths.tree import attribute_bits, category_bits, root_bits, structure_bits
from learners.trees.nodes.forecast import forecast_tree, smoothed_leaves
from learners.trees.nodes.node_table import LEAF, NodeTable
from workbench import read_study
from workbench.base.seeds import integer_seed
from workbench.base.threads import one_inner_thread
from workbench.designs import StudyOutline
from workbench.engine.problem import build_problem
from workbench.engine.tasks import tasks_of
from workbench.engine.worker import Task
from workbench.metrics import class_prior, clip_probabilities, ir_b, significance
from workbench.study.study import Study

N_FOLDS = 10
#: How many splits of a data set, and truths of a kind, have cross-validated rewards.
N_REWARDED = {"datasets": 10, "truths": 20}
ALPHA = 1.0  # pseudo-count of a class at a leaf, as in the message of Wallace and Patrick


def leaf_counts(learner: Any, X: pd.DataFrame, codes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Count the classes of the training rows by leaf, rule or group; shape (n_leaves, n_classes)."""
    tree = tree_of(learner)
    if tree is not None:
        return tree.class_weight[tree.kind == LEAF]
    # Those of equal forecasts are counted together, which changes no likelihood of training frequencies.
    _, cell = np.unique(learner.predict_proba(X).round(12), axis=0, return_inverse=True)
    counts = np.zeros((cell.max() + 1, len(learner.classes_)))
    np.add.at(counts, (cell.ravel(), codes), 1.0)
    return counts


def tree_of(learner: Any) -> Any:
    """Return the nodes of a tree or graph; None for rules and one attribute."""
    if hasattr(learner, "trees_"):  # C5.0
        return learner.trees_[0]
    return getattr(learner, "tree_", getattr(learner, "graph_", None))


def size_of(learner: Any, counts: NDArray[np.float64]) -> int:
    """Return the number of leaves, groups, or rules with their default."""
    if hasattr(learner, "split_"):
        return 1 if learner.split_ is None else len(learner.split_.by_group)
    if hasattr(learner, "rules_"):
        has_default = hasattr(learner.rules_, "exceptions")  # ripple-down rules list theirs
        return len(learner.rules_table()) + (not has_default)
    return len(counts)


def negative_log_likelihood(counts: NDArray[np.float64]) -> float:
    """Return the bits of the classes at the leaves, by the leaves' own frequencies."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    return float(-(counts * np.log2(np.where(counts > 0, share, 1.0))).sum())


def wallace_patrick(learner: Any, counts: NDArray[np.float64], n_available: int) -> float:
    """Return the message of a tree, whoever grew it, in the code that `mml_tree` minimizes; NaN for rules."""
    if hasattr(learner, "message_length_"):
        return learner.message_length_
    theory = learner.theory_complexity()
    classes = float(category_bits(counts, ALPHA).sum())
    tree = tree_of(learner)
    if tree is not None:
        return tree_bits(tree, n_available) + theory.values + classes
    if not hasattr(learner, "split_"):
        return np.nan
    if learner.split_ is None:
        return float(root_bits(False, n_available)) + classes
    n_groups = max(size_of(learner, counts), 2)
    shape = float(root_bits(True, n_available)) + n_groups * float(structure_bits(False, n_groups))
    intervals = theory.shape - decision_bits([1, 0]) + theory.values
    return shape + float(attribute_bits(n_available)) + intervals + classes


def tree_bits(tree: NodeTable, n_available: int) -> float:
    """Return the bits of the tests of a tree and their attributes, without cuts."""
    is_test, parent = ~tree.is_leaf, tree.parent
    available = np.full(tree.n_nodes, n_available)
    for node in range(1, tree.n_nodes):  # parents precede their children; a nominal test is made once
        above = parent[node]
        available[node] = available[above] - np.isnan(tree.threshold[above])
    shape = float(root_bits(is_test[0], n_available))
    shape += float(structure_bits(is_test[1:], tree.n_children[parent[1:]]).sum())
    return shape + float(attribute_bits(available[is_test]).sum())


def smoothed(learner: Any, X: pd.DataFrame, own: NDArray[np.intp], rows: pd.DataFrame) -> NDArray[np.float64]:
    """Forecast rows by the class frequencies of leaves, each class with one row more, for any learner."""
    tree = tree_of(learner)
    if isinstance(tree, NodeTable):
        of_leaf = smoothed_leaves(tree.class_weight, tree.parent, ALPHA)
        return forecast_tree(tree, of_leaf, learner._schema, learner._code(rows)).y_prob
    if hasattr(learner, "_groups"):
        cells, cell = learner._groups(rows), learner._groups(X)
    elif hasattr(learner, "_first_rules"):
        cells, cell = learner._first_rules(rows), learner._first_rules(X)
    elif hasattr(getattr(learner, "rules_", None), "last_true"):
        cells, cell = (learner.rules_.last_true(learner._code(each)) for each in (rows, X))
    else:  # MML graphs, FOIL and Induct's DNF do so themselves
        return learner.predict_proba(rows)
    counts = np.full((max(cells.max(), cell.max()) + 2, len(learner.classes_)), ALPHA)  # the last: default
    np.add.at(counts, (cell, own), 1.0)
    return counts[cells] / counts[cells].sum(axis=1, keepdims=True)


def of_all(classes: Sequence[Any], learner: Any, found: NDArray[Any]) -> NDArray[Any]:
    """Give all classes a column; those that the learner has not met are in no set, of probability 0."""
    return pd.DataFrame(found, columns=learner.classes_).reindex(columns=classes, fill_value=0).to_numpy()


def reward(codes: NDArray[np.intp], y_prob: NDArray[np.float64], prior: NDArray[np.float64]) -> float:
    """Return the mean IR_B."""
    return float(ir_b.per_sample(codes, y_prob, prior=prior).mean())


def cross_validated(
    learner: Any, problem: Any, X: pd.DataFrame, y: pd.Series, *, seed: int, rewarded: bool
) -> dict[str, float]:
    """Forecast each training row by a fit to the other nine tenths, and score these forecasts."""
    codes, shape = problem.codes(y), (len(X), len(problem.classes))
    sets, plain, alike = np.zeros(shape, bool), np.zeros(shape), np.zeros(shape)
    for train, test in KFold(min(N_FOLDS, len(X)), shuffle=True, random_state=seed).split(X):
        own = clone(learner).fit(X.iloc[train], y.iloc[train])
        rows, labels = X.iloc[test], np.searchsorted(own.classes_, np.asarray(y.iloc[train]))
        sets[test] = of_all(problem.classes, own, own.predict_set(rows))
        plain[test] = of_all(problem.classes, own, own.predict_proba(rows))
        if rewarded:
            alike[test] = of_all(problem.classes, own, smoothed(own, X.iloc[train], labels, rows))
    accuracy = float((plain.argmax(axis=1) == codes).mean())
    found = {"cv_saved": float(significance(codes, sets)), "cv_accuracy": accuracy}
    if rewarded:
        prior = class_prior(codes, classes=np.arange(shape[1]))
        clipped = clip_probabilities(plain, n_train=len(train), rule="2002")
        found |= {"cv_reward": reward(codes, clipped, prior), "cv_alike": reward(codes, alike, prior)}
    return found


def scores(
    learner: Any, problem: Any, X: pd.DataFrame, y: pd.Series, *, seed: int, rewarded: bool
) -> dict[str, float]:
    """Fit a learner, and return everything that the training rows tell of it."""
    began = time.perf_counter()
    fitted = clone(learner).fit(X, y)
    own = np.searchsorted(fitted.classes_, np.asarray(y))
    counts = leaf_counts(fitted, X, own)
    theory = fitted.theory_complexity()
    alike = of_all(problem.classes, fitted, smoothed(fitted, X, own, problem.test.X))
    prior = class_prior(problem.codes(y), classes=np.arange(len(problem.classes)))
    return {
        "alike_test": reward(problem.test.y, alike, prior),
        "theory": theory.total,
        "theory_classes": theory.classes,
        "n_leaves": size_of(fitted, counts),
        "n_classes": len(problem.classes),
        "leaf_bits": negative_log_likelihood(counts),
        "leaf_message": float(category_bits(counts, ALPHA).sum()),
        "wallace": wallace_patrick(fitted, counts, int((X.nunique() > 1).sum())),
        **cross_validated(learner, problem, X, y, seed=seed, rewarded=rewarded),
        "seconds": time.perf_counter() - began,
    }


def of_task(study: Study, task: Task) -> list[dict[str, Any]]:
    """Return the scores of all learners on one split, or on one training sample of a truth."""
    problem = build_problem(task.spec)
    X, y = problem.training_rows(task.n_train, task.training_set)
    found = []
    for _, cell, estimator in task.cells:
        if hasattr(estimator, "theory_complexity"):  # the truth has none
            seed = integer_seed("folds", study.seed, cell.source, cell.replicate, cell.n_train) % 2**32
            place = {"source": cell.source, "n_train": cell.n_train, "replicate": cell.replicate}
            rewarded = cell.replicate < N_REWARDED[study.design.source_kind]
            own = scores(estimator, problem, X, y, seed=seed, rewarded=rewarded)
            found.append({**place, "learner": cell.learner, **own})
    return found


def plan_of(study: Study) -> StudyOutline:
    """Return what the design must know to list its cells."""
    learners = tuple(spec.key for spec in study.learners)
    n_rows = {source.key: source.n_rows for source in study.sources if hasattr(source, "n_rows")}
    return StudyOutline({source.key: source.n_truths for source in study.sources}, learners, list, n_rows)


def main() -> None:
    """Compute the sources whose files are not there yet."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("study", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--data", type=Path, help="folder of data sets")
    parser.add_argument("--splits", type=int, help="only the first of each source")
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    study = read_study(asked.study, data=asked.data)
    (cells,) = study.design.rounds(plan_of(study))
    with one_inner_thread():
        for source in study.sources:
            place = asked.to / f"{source.key}.csv"
            own = [("", c) for c in cells if c.source == source.key]
            own = [pair for pair in own if asked.splits is None or pair[1].replicate < asked.splits]
            if not place.exists():
                began = time.perf_counter()
                rows = [row for task in tasks_of(study, own) for row in of_task(study, task)]
                pd.DataFrame(rows).to_csv(place, index=False)
                print(source.key, len(rows), f"{time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
