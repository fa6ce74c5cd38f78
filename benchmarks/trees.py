"""Trees on whole tables: ours, growing and pruning from a DataFrame, beside scikit-learn's binary tree.

scikit-learn's `DecisionTreeClassifier` gets numbers, with codes for nominal columns, made beforehand; a
missing value is to it a code of its own. It does not prune. Ratios are to its fit, and of forecasts to its
forecast.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks import million, tables
from benchmarks.report import Line, once, rounds
from learners import C45Classifier, J48Classifier

PEER = "scikit-learn DecisionTree"
#: Seconds to fit that we allow ourselves, and those that the peer took on the machine where they were set.
BUDGETS = {"adult": (1.5, 0.25), "letter": (1.0, 0.11), "million": (4.0, 10.5)}
OURS: dict[str, Callable[[], Any]] = {
    "C4.5": C45Classifier,
    "C4.5 unpruned": lambda: C45Classifier(prune=False),
    "C4.5 single precision": lambda: C45Classifier(single_precision=True),
    "J48": J48Classifier,
}


class Half(NamedTuple):
    """What one side of the comparison reads."""

    X: Any
    y: Any


def lines() -> Iterator[Line]:
    for name in ("adult", "letter"):
        X, y, label = tables.load_or_make_up(name)
        numbers = [column.cat.codes if column.dtype == "category" else column for _, column in X.items()]
        theirs = Half(np.column_stack(numbers), y.cat.codes.to_numpy())
        yield from _in_rounds(name, label + name, Half(X, y), theirs)
    codes, y = million.made_up(million.ROWS, million.ATTRIBUTES)
    yield from _once("million", "1,000,000 x 30", Half(codes, y))


def _in_rounds(key: str, work: str, ours: Half, theirs: Half) -> Iterator[Line]:
    fitted: dict[str, Any] = {}

    def fit(who: str, make: Callable[[], Any], table: Half) -> Callable[[], None]:
        return lambda: fitted.update({who: make().fit(*table)})

    def forecast(who: str, X: Any) -> Callable[[], Any]:
        return lambda: fitted[who].predict_proba(X)

    fits = {PEER: fit(PEER, _peer, theirs)} | {who: fit(who, make, ours) for who, make in OURS.items()}
    seconds, ratios = rounds(fits)
    for who in fits:
        yield Line(work, _name(who), seconds[who], ratios[who], _budget(key, who), _size(fitted[who]))
    forecasts = {PEER: forecast(PEER, theirs.X)} | {who: forecast(who, ours.X) for who in OURS}
    seconds, ratios = rounds(forecasts)
    for who in forecasts:
        pace = f"forecast, {len(ours.y) / seconds[who] / 1e6:.1f} million rows/s"
        yield Line(work, _name(who), seconds[who], ratios[who], note=pace)


def _once(key: str, work: str, table: Half) -> Iterator[Line]:
    """Time what takes long a single time, after a warm-up on a part."""
    yardstick = 0.0
    for who, make in {PEER: _peer, **OURS}.items():
        make().fit(table.X[:1000], table.y[:1000]).predict_proba(table.X[:1000])
        learner = make()
        taken = once(lambda learner=learner: learner.fit(*table))  # type: ignore[misc]
        yardstick = yardstick or taken
        allowed = _budget(key, who)
        yield Line(work, _name(who), taken, taken / yardstick, allowed, f"{_size(learner)}, ONCE")
        if who != PEER:
            asked = once(lambda learner=learner: learner.predict_proba(table.X))  # type: ignore[misc]
            pace = f"forecast, {len(table.y) / asked / 1e6:.1f} million rows/s, ONCE"
            yield Line(work, _name(who), asked, asked / yardstick, note=pace)


def _peer() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(random_state=0)


def _name(who: str) -> str:
    return who if who == PEER else f"ours, {who}"


def _budget(key: str, who: str) -> float | None:
    ours, peers = BUDGETS[key]
    return None if who == PEER else ours / peers


def _size(learner: Any) -> str:
    n_nodes = learner.n_nodes_ if hasattr(learner, "n_nodes_") else learner.tree_.node_count
    return f"fit, {n_nodes:,} nodes"
