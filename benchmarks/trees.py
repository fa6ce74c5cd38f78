"""Trees and rules on whole data sets: ours, from a DataFrame, next to scikit-learn's binary tree.

scikit-learn's `DecisionTreeClassifier` gets numbers, with codes for nominal columns, made beforehand; a
missing value is to it a code of its own. It does not prune. Ratios are to its fit, and of forecasts to its
forecast.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks import million, tables
from benchmarks.report import Line, once, rounds
from learners import (
    C45Classifier,
    C45RulesClassifier,
    C50Classifier,
    FOILClassifier,
    J48Classifier,
    MMLGraphClassifier,
    MMLTreeClassifier,
)

PEER = "scikit-learn DecisionTree"
Make = Callable[[], Any]


class Budget(NamedTuple):
    """Seconds that the work on a data set may take, and those of the peer's fit when the budget was set."""

    peer: float
    fit: Mapping[str, float]
    rows_per_second: float | None = None  # of a forecast


#: Of the million, the peer's seconds are those of these made-up rows; other rows of that size took it 41.
BUDGETS = {
    "adult": Budget(0.25, {"C4.5": 1.5}),
    "letter": Budget(0.11, {"C4.5": 1.0, "MML graph": 60.0}),
    "million": Budget(10.5, {"C4.5": 4.0}, rows_per_second=1e6),
}
C45_FAMILY: dict[str, Make] = {
    "C4.5": C45Classifier,
    "C4.5 unpruned": lambda: C45Classifier(prune=False),
    "J48": J48Classifier,
    "C5.0": C50Classifier,
    "MML tree": MMLTreeClassifier,
}
BOOSTED: dict[str, Make] = {"C5.0 boosted, 10 trials": lambda: C50Classifier(trials=10)}
#: What is timed in rounds, and what is timed once because it is slow, by data set.
IN_ROUNDS = {"adult": C45_FAMILY, "letter": C45_FAMILY}
ONCE: dict[str, dict[str, Make]] = {
    "adult": {**BOOSTED, "C4.5rules": C45RulesClassifier, "FOIL": FOILClassifier},
    "letter": {**BOOSTED, "MML graph": MMLGraphClassifier},
    "million": C45_FAMILY,
}
WARM_UP = 1000  # rows to compile with


class Half(NamedTuple):
    """The input of one side of the comparison."""

    X: Any
    y: Any

    def head(self) -> "Half":
        """Return the first rows, for compilation."""
        frame = hasattr(self.X, "iloc")
        return Half(*((a.iloc[:WARM_UP] if frame else a[:WARM_UP]) for a in self))


def lines() -> Iterator[Line]:
    for name in IN_ROUNDS:
        X, y, label = tables.load_or_make_up(name)
        numbers = [column.cat.codes if column.dtype == "category" else column for _, column in X.items()]
        theirs = Half(np.column_stack(numbers), y.cat.codes.to_numpy())
        yield from _of_table(name, label + name, Half(X, y), theirs)
    codes, y = million.made_up(million.ROWS, million.ATTRIBUTES)
    table = Half(codes, y)
    yield from _of_million("million", "1,000,000 x 30", table)


def _of_table(key: str, work: str, ours: Half, theirs: Half) -> Iterator[Line]:
    """Time fast learners in rounds with the peer, and slow ones once."""
    fitted: dict[str, Any] = {}

    def fit(who: str, make: Make, table: Half) -> Callable[[], None]:
        return lambda: fitted.update({who: make().fit(*table)})

    def forecast(who: str, X: Any) -> Callable[[], Any]:
        return lambda: fitted[who].predict_proba(X)

    quick = IN_ROUNDS[key]
    fits = {PEER: fit(PEER, _peer, theirs)} | {who: fit(who, make, ours) for who, make in quick.items()}
    seconds, ratios = rounds(fits)
    for who in fits:
        yield _fit_line(key, work, who, seconds[who], ratios[who], fitted[who])
    forecasts = {PEER: forecast(PEER, theirs.X)} | {who: forecast(who, ours.X) for who in quick}
    asked, asked_ratios = rounds(forecasts)
    for who in forecasts:
        yield _forecast_line(key, work, who, asked[who], asked_ratios[who], asked[who] / seconds[PEER], ours)
    for who, make in ONCE[key].items():
        yield from _once(key, work, who, make, ours, seconds[PEER], asked[PEER])


def _of_million(key: str, work: str, table: Half) -> Iterator[Line]:
    """Time everything once, the peer first."""
    _peer().fit(*table.head()).predict_proba(table.head().X)
    peer = _peer()
    taken = once(lambda: peer.fit(*table))
    asked = once(lambda: peer.predict_proba(table.X))
    yield _fit_line(key, work, PEER, taken, 1.0, peer, note=", ONCE")
    yield _forecast_line(key, work, PEER, asked, 1.0, asked / taken, table, note=", ONCE")
    for who, make in ONCE[key].items():
        yield from _once(key, work, who, make, table, taken, asked)


def _once(
    key: str, work: str, who: str, make: Make, table: Half, peer_fit: float, peer_asked: float
) -> Iterator[Line]:
    """Time a fit and a forecast a single time, after a warm-up on a part."""
    make().fit(*table.head()).predict_proba(table.head().X)
    learner = make()
    taken = once(lambda: learner.fit(*table))
    asked = once(lambda: learner.predict_proba(table.X))
    yield _fit_line(key, work, who, taken, taken / peer_fit, learner, note=", ONCE")
    yield _forecast_line(key, work, who, asked, asked / peer_asked, asked / peer_fit, table, note=", ONCE")


def _peer() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(random_state=0)


def _fit_line(
    key: str, work: str, who: str, seconds: float, ratio: float, learner: Any, *, note: str = ""
) -> Line:
    allowed = BUDGETS[key].fit.get(who)
    budget = None if allowed is None else allowed / BUDGETS[key].peer
    return Line(work, _name(who), seconds, ratio, budget, f"fit, {_size(learner)}{note}")


def _forecast_line(
    key: str, work: str, who: str, seconds: float, ratio: float, of_fit: float, table: Half, *, note: str = ""
) -> Line:
    """Judge a forecast by the peer's fit, whose seconds tell how fast the machine is."""
    least, n = BUDGETS[key].rows_per_second, len(table.y)
    budget = None
    if who == "C4.5" and least is not None:
        budget = n / least / BUDGETS[key].peer * ratio / of_fit
    pace = f"forecast, {n / seconds / 1e6:.1f} million rows/s{note}"
    return Line(work, _name(who), seconds, ratio, budget, pace)


def _name(who: str) -> str:
    return who if who == PEER else f"ours, {who}"


def _size(learner: Any) -> str:
    if hasattr(learner, "rules_"):
        return f"{len(learner.rules_):,} rules"
    if len(getattr(learner, "trees_", ())) > 1:
        return f"{len(learner.trees_)} trees"
    n_nodes = learner.n_nodes_ if hasattr(learner, "n_nodes_") else learner.tree_.node_count
    return f"{n_nodes:,} nodes"
