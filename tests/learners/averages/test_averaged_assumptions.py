"""The average over assumptions against every structure one by one, and what it says of them."""

import itertools
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln, logsumexp

from generators import random_dag_with_class, random_naive_bayes, random_tan
from learners import (
    AssumptionsLeftOutWarning,
    AveragedAssumptionsClassifier,
    AveragedTANClassifier,
    ColumnsLeftOutWarning,
    NaiveBayesClassifier,
)
from learners.networks.search.order_average import OrderAverage
from learners.networks.search.order_law import DagLaw, KDependenceLaw

ALL = ("naive_bayes", "tan", "kdb", "dag")
ARITIES = (2, 3, 2)
N_CLASSES = 2


def drawn(n, arities=ARITIES, n_classes=N_CLASSES, seed=0):
    """Draw rows of a chain; all classes occur."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    X = [(y + rng.integers(0, 2, n)) % arities[0]]
    for arity in arities[1:]:
        X.append(np.where(rng.random(n) < 0.7, X[-1] + y, rng.integers(0, arity, n)) % arity)
    return np.column_stack(X), y


def every_row(arities):
    return np.array(list(itertools.product(*map(range, arities))))


# -- every structure, one by one -----------------------------------------------------------------


def of_family(table, sizes, child, parents, alpha):
    """Log probability of a column given others, with Dirichlet(alpha) rows integrated out."""
    total = 0.0
    for values in itertools.product(*(range(sizes[p]) for p in parents)):
        rows = table[(table[:, list(parents)] == values).all(axis=1), child]
        counts = np.bincount(rows, minlength=sizes[child])
        total += gammaln(alpha * sizes[child]) - gammaln(alpha * sizes[child] + counts.sum())
        total += (gammaln(counts + alpha) - gammaln(alpha)).sum()
    return total


def naive_bayes(n):
    """Yield each structure of n attributes, the class last: parents by variable, and its probability."""
    yield [*[(n,)] * n, ()], 1.0


def tan(n):
    found = []
    for above in itertools.product(range(-1, n), repeat=n):
        reached = np.arange(n)
        for _ in range(n):
            reached = np.where(reached >= 0, np.array(above)[reached], -1)
        if above.count(-1) == 1 and (reached < 0).all():
            found.append([*[(n,) if p < 0 else (p, n) for p in above], ()])
    for parents in found:
        yield parents, 1 / len(found)


def kdb(n):
    for order in itertools.permutations(range(n)):
        choices = [list(itertools.combinations(order[:p], min(2, p))) for p in range(n)]
        for chosen in itertools.product(*choices):
            parents = dict(zip(order, chosen, strict=True))
            share = 1 / math.factorial(n) / math.prod(map(len, choices))
            yield [*[(*parents[j], n) for j in range(n)], ()], share


def dag(n, max_parents=3):
    for order in itertools.permutations(range(n + 1)):
        sizes = [range(min(max_parents, p) + 1) for p in range(n + 1)]
        sets = [[own for k in sizes[p] for own in itertools.combinations(order[:p], k)] for p in range(n + 1)]
        for chosen in itertools.product(*sets):
            share = 1 / math.factorial(n + 1)
            for p, own in enumerate(chosen):
                share /= len(sizes[p]) * math.comb(p, len(own))
            parents = dict(zip(order, chosen, strict=True))
            yield [parents[v] for v in range(n + 1)], share


STRUCTURES = {"naive_bayes": naive_bayes, "tan": tan, "kdb": kdb, "dag": dag}


class EveryStructure:
    """The evidence of an assumption, structure by structure."""

    def __init__(self, name, sizes, alpha):
        self.sizes, self.alpha = sizes, alpha
        self.structures = list(STRUCTURES[name](len(sizes) - 1))
        assert sum(share for _, share in self.structures) == pytest.approx(1)

    def log_evidence(self, X, y):
        table = np.column_stack([X, y])
        families = {(v, own) for parents, _ in self.structures for v, own in enumerate(parents)}
        of = {(v, own): of_family(table, self.sizes, v, own, self.alpha) for v, own in families}
        logs = [
            np.log(share) + sum(of[v, own] for v, own in enumerate(parents))
            for parents, share in self.structures
        ]
        return logsumexp(logs)

    def joint(self, X, y, row, label):
        """Return the probability of one more row: the ratio of two evidences."""
        more = self.log_evidence(np.vstack([X, row]), np.append(y, label))
        return np.exp(more - self.log_evidence(X, y))


@pytest.mark.parametrize("alpha", [0.4, pytest.param(1.0, marks=pytest.mark.slow)])
def test_it_is_the_average_over_every_structure(alpha) -> None:
    X, y = drawn(12)
    weights = [0.1, 0.4, 0.3, 0.2]
    average = AveragedAssumptionsClassifier(ALL, weights, alpha=alpha, arities=ARITIES).fit(X, y)
    want = {name: EveryStructure(name, (*ARITIES, N_CLASSES), alpha) for name in ALL}
    evidences = np.array([want[name].log_evidence(X, y) for name in ALL])
    np.testing.assert_allclose(average.log_evidences_[list(ALL)], evidences, rtol=1e-12)
    shares = np.exp(evidences) * weights
    np.testing.assert_allclose(average.assumption_posteriors_, shares / shares.sum(), atol=1e-12)
    assert average.log_evidence_ == pytest.approx(np.log(shares.sum()), rel=1e-12)
    posteriors, row = shares / shares.sum(), [1, 2, 0]
    joint = [
        sum(p * one.joint(X, y, row, label) for p, one in zip(posteriors, want.values(), strict=True))
        for label in range(N_CLASSES)
    ]
    np.testing.assert_allclose(np.exp(average.log_joint([row]))[0], joint, rtol=1e-11)
    np.testing.assert_allclose(average.predict_proba([row])[0], joint / np.sum(joint), rtol=1e-11)


@pytest.mark.parametrize("assumptions", [*[(name,) for name in ALL], ALL], ids="+".join)
def test_the_evidence_is_the_product_of_the_forecasts_row_by_row(assumptions) -> None:
    X, y = drawn(9, seed=3)
    labels = pd.Series(pd.Categorical(y, categories=range(N_CLASSES)))
    total = -np.log(np.prod(ARITIES) * N_CLASSES)  # nothing is known of the first row
    for i in range(1, len(y)):
        before = AveragedAssumptionsClassifier(assumptions, arities=ARITIES).fit(X[:i], labels[:i])
        assert before.log_evidence_ == pytest.approx(total, abs=1e-9)
        total += before.log_joint(X[i : i + 1])[0, y[i]]
    whole = AveragedAssumptionsClassifier(assumptions, arities=ARITIES).fit(X, labels)
    assert whole.log_evidence_ == pytest.approx(total, abs=1e-9)


def test_over_all_rows_and_classes_the_joint_sums_to_one() -> None:
    X, y = drawn(40)
    weight = np.random.default_rng(0).random(40) * 3
    average = AveragedAssumptionsClassifier(ALL, arities=ARITIES).fit(X, y, sample_weight=weight)
    assert np.exp(average.log_joint(every_row(ARITIES))).sum() == pytest.approx(1, abs=1e-12)


# -- one assumption is its member ----------------------------------------------------------------


def holed(X, share=0.15, seed=1):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, -1, X)


def test_naive_bayes_alone_is_naive_bayes() -> None:
    X, y = drawn(60, (2, 3, 2, 4))
    average = AveragedAssumptionsClassifier(["naive_bayes"]).fit(holed(X), y)
    want = NaiveBayesClassifier(alpha=1.0).fit(holed(X), y)
    np.testing.assert_allclose(average.predict_proba(X), want.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(average.predict_proba(holed(X)), want.predict_proba(holed(X)), atol=1e-12)


def test_naive_bayes_alone_leaves_any_number_of_missing_values_out() -> None:
    X, y = drawn(30, (2,) * 15)
    average, row = AveragedAssumptionsClassifier(["naive_bayes"]).fit(X, y), np.full((1, 15), -1)
    want = NaiveBayesClassifier(alpha=1.0).fit(X, y).predict_proba(row)
    np.testing.assert_allclose(average.predict_proba(row), want, atol=1e-12)


def test_trees_alone_are_averaged_tan() -> None:
    X, y = drawn(60, (2, 3, 2, 4))
    average = AveragedAssumptionsClassifier(["tan"], alpha=0.5).fit(holed(X), y)
    want = AveragedTANClassifier(alpha=0.5).fit(holed(X), y)
    np.testing.assert_array_equal(average.log_joint(holed(X)), want.log_joint(holed(X)))
    assert average.log_evidence_ == pytest.approx(want.log_evidence_, rel=1e-14)
    pd.testing.assert_frame_equal(average.arc_posteriors_, want.arc_posteriors_)


@pytest.mark.parametrize(("name", "law"), [("dag", DagLaw(2)), ("kdb", KDependenceLaw(2))])
def test_networks_alone_are_the_average_over_orders(name, law) -> None:
    arities = (2, 3, 2, 4)
    X, y = drawn(60, arities)
    codes = np.where(holed(X) < 0, arities, X).T.astype(np.uint8)
    weight = np.random.default_rng(2).random(60)
    average = AveragedAssumptionsClassifier([name], max_parents=2).fit(holed(X), y, sample_weight=weight)
    sizes, rows = (*arities, 2), np.vstack([codes, y]).astype(np.uint8)
    want = OrderAverage.of(rows, sizes, law=law, alpha=1.0, row_weights=weight)
    np.testing.assert_allclose(average.log_joint(holed(X)), want.log_joint(codes), rtol=1e-12)
    assert average.log_evidence_ == pytest.approx(want.log_evidence, rel=1e-14)
    np.testing.assert_allclose(average.arc_posteriors_, want.arc_posteriors, atol=1e-12)


def test_arcs_are_the_mean_over_assumptions() -> None:
    X, y = drawn(40)
    table = pd.DataFrame(X, columns=list("abc")).astype("category")
    average = AveragedAssumptionsClassifier().fit(table, pd.Series(y, name="kind"))
    alone = {
        name: AveragedAssumptionsClassifier([name]).fit(table, y).arc_posteriors_.to_numpy()
        for name in ("naive_bayes", "tan", "dag")
    }
    want = sum(share * alone[name] for name, share in average.assumption_posteriors_.items())
    np.testing.assert_allclose(average.arc_posteriors_, want, atol=1e-12)
    assert average.arc_posteriors_.index.tolist() == ["a", "b", "c", "kind"]
    assert alone["naive_bayes"].tolist() == [[0, 0, 0, 0]] * 3 + [[1, 1, 1, 0]]


# -- weights -------------------------------------------------------------------------------------


def test_weights_multiply_the_odds() -> None:
    X, y = drawn(30)
    equal = AveragedAssumptionsClassifier(["naive_bayes", "dag"]).fit(X, y).assumption_posteriors_
    for weights in ([3, 1], {"dag": 1, "naive_bayes": 3}, np.array([0.75, 0.25])):
        told = AveragedAssumptionsClassifier(["naive_bayes", "dag"], weights).fit(X, y).assumption_posteriors_
        odds = told["naive_bayes"] / told["dag"]
        assert odds == pytest.approx(3 * equal["naive_bayes"] / equal["dag"], rel=1e-12)


def test_an_assumption_of_weight_0_is_left_out() -> None:
    X, y = drawn(30)
    with_zero = AveragedAssumptionsClassifier(weights=[1, 0, 2]).fit(X, y)
    without = AveragedAssumptionsClassifier(["naive_bayes", "dag"], [1, 2]).fit(X, y)
    assert with_zero.left_out_ == {"tan": "its weight is 0"}
    pd.testing.assert_series_equal(with_zero.assumption_posteriors_, without.assumption_posteriors_)
    assert with_zero.log_evidence_ == without.log_evidence_


# -- tables that are too large -------------------------------------------------------------------


def test_13_attributes_are_not_too_many() -> None:
    X, y = drawn(20, (2,) * 13)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        average = AveragedAssumptionsClassifier(max_parents=1).fit(X, y)
    assert average.left_out_ == {}


def test_of_20_attributes_networks_are_left_out_with_one_warning() -> None:
    X, y = drawn(50, (2,) * 20)
    sentence = 'too large for "dag" \\(it takes at most 13 attributes, and there are 20\\), so the average'
    with pytest.warns(AssumptionsLeftOutWarning, match=sentence) as caught:
        average = AveragedAssumptionsClassifier().fit(X, y)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert average.left_out_ == {"dag": "it takes at most 13 attributes, and there are 20"}
    assert "Left out: a network (it takes at most 13 attributes, and there are 20)." in average.explain()
    without = AveragedAssumptionsClassifier(["naive_bayes", "tan"]).fit(X, y)
    np.testing.assert_array_equal(average.predict_proba(X), without.predict_proba(X))
    assert average.log_evidence_ == without.log_evidence_


def test_so_many_classes_that_networks_are_left_out() -> None:
    labels = pd.Series(pd.Categorical([0, 1] * 10, categories=range(3000)))
    with pytest.warns(AssumptionsLeftOutWarning, match=r"3,000.*2 GB"):
        AveragedAssumptionsClassifier().fit(drawn(20, (2,) * 13)[0], labels)


# -- batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("assumptions", [["naive_bayes"], ["naive_bayes", "tan"]], ids="+".join)
def test_batches_and_parts_are_one_fit(assumptions) -> None:
    X, y = drawn(60, (3, 2, 4))
    X = holed(X)
    batches = AveragedAssumptionsClassifier(assumptions)
    for rows in np.array_split(np.arange(60), 7):
        batches.partial_fit(X[rows], y[rows], classes=[0, 1])
    once = AveragedAssumptionsClassifier(assumptions).fit(X, y)
    half = AveragedAssumptionsClassifier(assumptions).count(X[:30], y[:30], classes=[0, 1])
    merged = half.merged(once.emptied().partial_fit(X[30:], y[30:]))
    for other in (batches, merged):
        np.testing.assert_array_equal(other.predict_proba(X), once.predict_proba(X))
        pd.testing.assert_series_equal(other.assumption_posteriors_, once.assumption_posteriors_)
        assert other.explain() == once.explain()
    assert not hasattr(half, "assumption_posteriors_")


def test_networks_need_all_rows_at_once() -> None:
    for method in ("partial_fit", "merged", "emptied", "count", "learn"):
        with pytest.raises(AttributeError, match=f'"dag" counts sets .* there is no {method}. Give all rows'):
            getattr(AveragedAssumptionsClassifier(), method)


# -- rows with missing values --------------------------------------------------------------------


def test_missing_values_are_summed_out() -> None:
    X, y = drawn(40)
    average = AveragedAssumptionsClassifier(ALL, arities=ARITIES).fit(X, y)
    every = every_row(ARITIES)
    joint = average.log_joint(every)
    rows = np.array([[-1, 1, -1], [0, -1, 1], [-1, -1, -1], [1, 2, 0]])
    for row, got in zip(rows, average.log_joint(rows), strict=True):
        fits = ((every == row) | (row < 0)).all(axis=1)
        np.testing.assert_allclose(got, logsumexp(joint[fits], axis=0), atol=1e-12)


def test_of_too_many_missing_values_all_assumptions_leave_out_the_same(monkeypatch) -> None:
    X, y = drawn(40)
    average = AveragedAssumptionsClassifier(arities=ARITIES).fit(X, y)
    monkeypatch.setattr(AveragedAssumptionsClassifier, "MAX_COMPLETIONS", 2)
    rows = np.array([[-1, -1, 1], [-1, -1, -1], [1, 2, 0]])
    with pytest.warns(ColumnsLeftOutWarning, match="2 of 3 rows") as caught:
        got = average.log_joint(rows)
    assert len(caught) == 1
    few = [(2, [0, 2], [[-1, 1]]), (1, [2], [[-1]])]  # without the widest, then without the first too
    for row, (_, kept, shown) in enumerate(few):
        want = [
            np.log(share)
            + AveragedAssumptionsClassifier([name], arities=np.array(ARITIES)[kept])
            .fit(X[:, kept], y)
            .log_joint(shown)[0]
            for name, share in average.assumption_posteriors_.items()
        ]
        np.testing.assert_allclose(got[row], logsumexp(want, axis=0), rtol=1e-12)
    np.testing.assert_array_equal(got[2:], average.log_joint(rows[2:]))


def test_every_column_may_be_left_out(monkeypatch) -> None:
    X, y = drawn(40)
    average = AveragedAssumptionsClassifier(ALL).fit(X, y)
    monkeypatch.setattr(AveragedAssumptionsClassifier, "MAX_COMPLETIONS", 1)
    with pytest.warns(ColumnsLeftOutWarning):
        got = average.log_joint([[-1] * 3])
    np.testing.assert_allclose(np.exp(got[0]), (np.bincount(y) + 1) / 42, rtol=1e-12)


# -- odd tables ----------------------------------------------------------------------------------


def test_equal_and_constant_and_empty_columns_of_5000_rows() -> None:
    X, y = drawn(5000, (3, 3))
    table = pd.DataFrame(np.column_stack([X, X, y]), columns=list("abcde")).astype("category")
    table = table.assign(constant=pd.Categorical(["v"] * 5000), empty=pd.Categorical([None] * 5000))
    average = AveragedAssumptionsClassifier(ALL).fit(table, y)
    contradicting = table.head(3).copy()
    contradicting["a"] = table["a"].iloc[[4, 3, 2]].to_numpy()
    for rows in (table.head(50), contradicting):
        assert np.isfinite(average.log_joint(rows)).all()
        assert (average.predict_proba(rows) > 0).all()
    assert np.isfinite(average.log_evidences_).all()


@pytest.mark.parametrize("name", ALL)
def test_a_column_without_training_values_tells_nothing(name) -> None:
    X, y = drawn(40)
    unseen = np.column_stack([X[:, 0], np.full(40, -1), X[:, 1:]])
    average = AveragedAssumptionsClassifier([name], arities=(2, 3, 3, 2)).fit(unseen, y)
    rows = every_row((2, 3, 3, 2))
    without = rows.copy()
    without[:, 1] = -1
    joint, of_others = average.log_joint(rows), average.log_joint(without)
    np.testing.assert_allclose(joint, of_others - np.log(3), atol=1e-12)
    assert np.exp(joint).sum() == pytest.approx(1, abs=1e-12)


def test_one_class_and_one_column() -> None:
    X, _ = drawn(10)
    average = AveragedAssumptionsClassifier(ALL, arities=[2]).fit(X[:, :1], ["only"] * 10)
    n = np.bincount(X[:, 0])
    np.testing.assert_allclose(np.exp(average.log_joint([[0], [1]]))[:, 0], (n + 1) / 12)
    assert average.assumption_posteriors_.tolist() == pytest.approx([0.25] * 4)


# -- words ---------------------------------------------------------------------------------------


def test_it_explains_what_the_data_say() -> None:
    X, y = drawn(40)
    average = AveragedAssumptionsClassifier().fit(X, y)
    posteriors, bits = average.assumption_posteriors_, average.log_evidences_ / np.log(2)
    assert posteriors.idxmax() == "tan"
    head, *lines, rows = average.explain().splitlines()
    tree = "a tree among the attributes"
    assert head == f"Most probable by the data: {tree}, with probability {posteriors['tan']:.2f}."
    assert lines == [
        f"  {'<0.01' if posteriors['naive_bayes'] < 0.005 else format(posteriors['naive_bayes'], '.2f'):5}  "
        "naive Bayes: attributes are independent given the class (log evidence "
        f"{bits['tan'] - bits['naive_bayes']:.1f} bits less)",
        f"  {posteriors['tan']:.2f}   a tree among the attributes: each depends on the class and one other "
        f"(log evidence {bits['tan']:.1f} bits)",
        f"  {posteriors['dag']:.2f}   a network: attributes and class, each with up to 3 parents (log "
        f"evidence {bits['tan'] - bits['dag']:.1f} bits less)",
    ]
    assert rows == "From 40 rows, with equal prior probabilities."


def test_it_explains_weights_and_missing_values_and_what_is_left_out() -> None:
    X, y = drawn(2000)
    text = AveragedAssumptionsClassifier(weights=[1, 3, 0]).fit(holed(X), y).explain()
    assert text.startswith(
        "Most probable by the data and the weights: a tree among the attributes, with probability over 0.99."
        "\n  <0.01 "
    )
    assert "\n  >0.99  a tree" in text
    assert "From 2000 rows, with the prior probabilities naive_bayes 0.25, tan 0.75." in text
    assert "Training values are missing, so only the evidence of naive Bayes is exact." in text
    assert "Left out: a network (its weight is 0)." in text


def test_of_a_tie_it_claims_nothing() -> None:
    X, y = [[0], [1], [0], [1]], [0, 1, 0, 1]  # with one attribute naive Bayes and a tree are the same
    two = AveragedAssumptionsClassifier(["naive_bayes", "tan"]).fit(X, y).explain()
    head, *lines, _ = two.splitlines()
    assert head == "The data do not decide between naive Bayes and a tree among the attributes."
    assert [line.split()[0] for line in lines] == ["0.50", "0.50"]
    three = AveragedAssumptionsClassifier(["naive_bayes", "tan", "kdb"]).fit(X, y).explain()
    assert three.startswith(
        "The data do not decide between naive Bayes, a tree among the attributes and two parents.\n"
    )


@pytest.mark.parametrize(
    ("weight", "head"),
    [
        (2.9, "The data and the weights do not decide between naive Bayes and a tree among the attributes."),
        (3.1, "Most probable by the data and the weights: a tree among"),
    ],
)
def test_odds_above_3_decide(weight, head) -> None:
    average = AveragedAssumptionsClassifier(["naive_bayes", "tan"], [1, weight]).fit([[0], [1]], [0, 1])
    assert average.explain().startswith(head)


def test_it_explains_that_cut_points_are_not_paid_for() -> None:
    y = np.arange(40) % 2
    x = np.linspace(0, 1, 40) + 2 * y
    said = AveragedAssumptionsClassifier().fit(pd.DataFrame({"x": x}), y).explain()
    assert "\nThe classes determined the cut points of numeric columns" in said
    uncut = AveragedAssumptionsClassifier().fit(pd.DataFrame({"x": np.arange(40.0)}), y)
    assert uncut.cut_points_["x"].size == 0
    assert "Cut points" not in uncut.explain()


def test_beside_a_constant_column_trees_keep_some_probability_on_naive_bayes() -> None:
    n = 4000
    i = np.arange(n)
    X = np.column_stack([i // 2 % 2, i // 4 % 2, i // 8 % 2, np.zeros(n, int)])
    bare, beside = (
        AveragedAssumptionsClassifier(["naive_bayes", "tan"]).fit(table, i % 2) for table in (X[:, :3], X)
    )
    assert bare.assumption_posteriors_["tan"] < 1e-4
    star = 1 / 4**3  # one tree of 64 hangs all others below the constant column
    assert beside.assumption_posteriors_["tan"] > star / (1 + star)


def test_it_explains_that_one_assumption_says_nothing() -> None:
    average = AveragedAssumptionsClassifier(["naive_bayes"]).fit([[0], [-1]], ["a", "b"], [0.5, 0.5])
    bits = np.log2(math.gamma(1.5) ** 2 / math.gamma(3))  # of half a row of each class
    want = f"The only assumption is naive Bayes (log evidence {bits:.1f} bits).\nFrom 1 row."
    assert average.explain() == want


# -- what is refused -----------------------------------------------------------------------------


def test_what_it_cannot_do_is_refused_in_one_sentence() -> None:
    for parameters, sentence in [
        ({"assumptions": "tan"}, r"naive_bayes.*'tan'"),
        ({"assumptions": []}, "each at most once, but was \\[\\]"),
        ({"assumptions": ["tan", "tan"]}, r"\['tan'.*'tan'\]"),
        ({"assumptions": ["trees"]}, "but was \\['trees'\\]"),
        ({"assumptions": None}, "but was None"),
        ({"weights": [1, 1]}, r"0.*naive_bayes.*0"),
        ({"weights": [0, 0, 0]}, r"0.*\[0.*0.*0\]"),
        ({"weights": [1, 1, -1]}, "least 0"),
        ({"weights": [1, 1, np.nan]}, "least 0"),
        (
            {"weights": {"tan": 2}},
            r"naive_bayes.*naive_bayes",
        ),
        (
            {"weights": {"naive_bayes": 1, "tan": 1, "dag": 1, "kdb": 2}},
            r"weights.*'kdb'.*naive_bayes.*0",
        ),
        ({"weights": "abc"}, r"naive_bayes.*'abc'"),
        ({"alpha": 0}, r"alpha.*0.*0"),
        ({"max_parents": -1}, r"max_parents.*0.*-1"),
        (
            {"assumptions": ["dag", "kdb"]},
            r'"dag".*"kdb".*"naive_bayes".*"tan"',
        ),
    ]:
        with pytest.raises(ValueError, match=sentence):
            AveragedAssumptionsClassifier(**parameters).fit(*drawn(20, (2,) * 14))


# -- which assumption is found -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "name"),
    [(random_naive_bayes, "naive_bayes"), (random_tan, "tan"), (random_dag_with_class, "dag")],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_the_kind_of_a_truth_is_found(draw, name) -> None:
    found = []
    for seed in range(40):
        X, y = draw(random_state=seed).sample(200, random_state=1000 + seed)
        found.append(AveragedAssumptionsClassifier().fit(X, y).assumption_posteriors_[name])
    assert np.mean(found) > 0.5


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::learners.bayes._shared.left_out_columns.ColumnsLeftOutWarning")
def test_holes_that_networks_would_take_too_long_to_fill_are_refused_in_a_sentence():
    rng = np.random.default_rng(0)
    X, wide = rng.integers(0, 3, (400, 11)), rng.integers(0, 87, (400, 1))
    X = np.where(rng.random((400, 12)) < 0.15, -1, np.hstack([wide, X]))
    arities = [87, *[3] * 11]
    average = AveragedAssumptionsClassifier(arities=arities).fit(X, rng.integers(0, 2, 400))
    rows = np.tile(X, (5, 1))
    rows[:, 1] = rng.integers(0, 3, len(rows))
    rows[:, 0] = -1
    with pytest.raises(
        ValueError, match=r'filled in [\d,]+ ways.*"dag" too long. Forecast fewer rows.*leave "dag"'
    ):
        average.predict_proba(rows)
    assert np.isfinite(average.predict_proba(rows[:2])).all()
    counted = AveragedAssumptionsClassifier(("naive_bayes", "tan"), arities=arities).fit(
        X, rng.integers(0, 2, 400)
    )
    assert np.isfinite(counted.predict_proba(rows[:50])).all()
