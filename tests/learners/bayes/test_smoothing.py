"""The three smoothings that naive Bayes, TAN and AODE share, against their formulas in plain numpy."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier

SEEDS = st.integers(0, 10_000)
SHARED = {  # a rule as each learner says it
    "half": ({"alpha": 0.5}, {"smoothing": "simple"}, {"alpha": 0.5}),
    "one": ({}, {"smoothing": "laplace"}, {}),
    "friedman": ({"smoothing": "friedman"}, {}, {"smoothing": "friedman"}),
}
ALPHA = {"half": 0.5, "one": 1.0}
RULES = st.sampled_from(list(SHARED))


class Table:
    """Random weighted rows of integer codes; -1 is missing, and some declared values may be unseen."""

    def __init__(self, seed: int, rule: str) -> None:
        rng = np.random.default_rng(seed)
        self.rule = rule
        self.arities = rng.integers(1, 5, rng.integers(1, 4))
        self.n_classes = int(rng.integers(1, 4))
        self.X = self.rows(rng, 25)
        self.X_test = self.rows(rng, 15)
        self.y = np.concatenate([np.arange(self.n_classes), rng.integers(0, self.n_classes, 25)])[:25]
        self.weight = rng.random(25) * 3 + 0.1
        self.rng = rng

    def rows(self, rng: np.random.Generator, n: int) -> np.ndarray:
        return np.column_stack([rng.integers(-1, r, n) for r in self.arities])

    def fit(self, Learner, **options):
        position = (NaiveBayesClassifier, TANClassifier, AODEClassifier).index(Learner)
        learner = Learner(arities=self.arities, **SHARED[self.rule][position], **options)
        return learner.fit(self.X, self.y, sample_weight=self.weight)

    def class_prior(self) -> np.ndarray:
        alpha = ALPHA.get(self.rule, 1.0)
        rows = np.array([self.weight[self.y == c].sum() for c in range(self.n_classes)])
        return (rows + alpha) / (rows.sum() + alpha * self.n_classes)

    def count(self, j: int, where: np.ndarray) -> np.ndarray:
        """Weight of each value of attribute j among these rows."""
        return np.array([self.weight[where & (self.X[:, j] == v)].sum() for v in range(self.arities[j])])

    def values(self, j: int, where: np.ndarray) -> np.ndarray:
        """P(value of attribute j) as smoothed from these rows."""
        counts = self.count(j, where)
        if self.rule != "friedman":
            return (counts + ALPHA[self.rule]) / (counts.sum() + ALPHA[self.rule] * self.arities[j])
        shown = self.count(j, np.full(len(self.y), True))
        marginal = shown / shown.sum() if shown.sum() else np.full(len(shown), 1 / len(shown))
        return (counts + 5 * marginal) / (counts.sum() + 5)

    def is_missing(self, j: int, value: int) -> bool:
        if value < 0:
            return True
        shown = self.X[:, j] >= 0
        return self.rule == "friedman" and shown.any() and not (self.X[:, j] == value).any()

    def joint(self, i: int, value: int, c: int) -> float:
        """AODE's P(class, value of the parent)."""
        if self.rule == "friedman":
            return self.class_prior()[c] * self.values(i, self.y == c)[value]
        alpha, counts = ALPHA[self.rule], [self.count(i, self.y == k) for k in range(self.n_classes)]
        total = np.sum(counts) + alpha * self.n_classes * self.arities[i]
        return (counts[c][value] + alpha) / total

    def naive_bayes(self, row: np.ndarray) -> np.ndarray:
        out = self.class_prior()
        for c, (j, value) in product(range(self.n_classes), enumerate(row)):
            if not self.is_missing(j, value):
                out[c] *= self.values(j, self.y == c)[value]
        return out / out.sum()

    def tan(self, row: np.ndarray, parents: list[int]) -> np.ndarray:
        """Sum the network's joint over every completion of the row."""
        out = np.zeros(self.n_classes)
        choices = [range(self.arities[j]) if self.is_missing(j, v) else [v] for j, v in enumerate(row)]
        for c, full in product(range(self.n_classes), product(*choices)):
            term = self.class_prior()[c]
            for j, p in enumerate(parents):
                where = self.y == c if p < 0 else (self.y == c) & (self.X[:, p] == full[p])
                term *= self.values(j, where)[full[j]]
            out[c] += term
        return out / out.sum()

    def aode(self, row: np.ndarray) -> np.ndarray:
        out = np.zeros(self.n_classes)
        known = [(j, v) for j, v in enumerate(row) if not self.is_missing(j, v)]
        for c, (i, value) in product(range(self.n_classes), known):
            if not self.count(i, self.y >= 0)[value] >= 1:
                continue
            term = self.joint(i, value, c)
            for j, other in known:
                if j != i:
                    term *= self.values(j, (self.y == c) & (self.X[:, i] == value))[other]
            out[c] += term
        return out / out.sum() if out.any() else self.naive_bayes(row)


@given(SEEDS, RULES)
def test_naive_bayes_is_its_formula(seed, rule) -> None:
    table = Table(seed, rule)
    got = table.fit(NaiveBayesClassifier).predict_proba(table.X_test)
    np.testing.assert_allclose(got, [table.naive_bayes(row) for row in table.X_test], atol=1e-12)


@given(SEEDS, RULES)
def test_tan_is_its_formula(seed, rule) -> None:
    table = Table(seed, rule)
    parents = [-1, *(int(table.rng.integers(-1, j)) for j in range(1, len(table.arities)))]
    got = table.fit(TANClassifier, structure=parents).predict_proba(table.X_test)
    np.testing.assert_allclose(got, [table.tan(row, parents) for row in table.X_test], atol=1e-12)


@given(SEEDS, RULES)
def test_aode_is_its_formula(seed, rule) -> None:
    table = Table(seed, rule)
    got = table.fit(AODEClassifier).predict_proba(table.X_test)
    np.testing.assert_allclose(got, [table.aode(row) for row in table.X_test], atol=1e-12)


@given(SEEDS, RULES)
def test_tan_without_arcs_is_naive_bayes(seed, rule) -> None:
    table = Table(seed, rule)
    tan = table.fit(TANClassifier, structure=[-1] * len(table.arities))
    nb = table.fit(NaiveBayesClassifier)
    np.testing.assert_array_equal(tan.class_prior_, nb.class_prior_)
    np.testing.assert_allclose(tan.predict_proba(table.X_test), nb.predict_proba(table.X_test), atol=1e-12)


@given(SEEDS)
def test_aode_with_friedmans_smoothing_averages_the_tan_networks_of_one_leader(seed) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (60, 3)), rng.integers(0, 2, 60)
    names = pd.DataFrame(X, columns=list("abc")).astype("category")
    classes = pd.Series(pd.Categorical(y, categories=[0, 1]))
    want = np.zeros((60, 2))
    for leader in range(3):
        structure = [-1 if j == leader else leader for j in range(3)]
        network = TANClassifier(structure=structure).fit(names, classes).network_
        for c in (0, 1):
            as_class = pd.Series(pd.Categorical([c] * 60, categories=[0, 1]))
            want[:, c] += np.exp(network.log_joint(names, as_class))
    want /= want.sum(axis=1, keepdims=True)
    got = AODEClassifier(smoothing="friedman").fit(names, classes).predict_proba(names)
    np.testing.assert_allclose(got, want, atol=1e-12)


@given(SEEDS)
def test_with_one_attribute_friedmans_smoothing_means_one_forecast(seed) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-1, 3, (30, 1)), rng.integers(0, 3, 30)
    nb, tan, aode = (
        Learner(arities=(4,), smoothing="friedman").fit(X, y).predict_proba([[-1], [0], [1], [2], [3]])
        for Learner in (NaiveBayesClassifier, TANClassifier, AODEClassifier)
    )
    np.testing.assert_allclose(nb, tan, atol=1e-12)
    np.testing.assert_allclose(nb, aode, atol=1e-12)


@given(SEEDS, RULES)
def test_the_joint_of_class_and_parent_sums_to_one(seed, rule) -> None:
    table = Table(seed, rule)
    aode = table.fit(AODEClassifier, min_frequency=0)
    joint = aode._tables.diagonal().T[:, : table.n_classes]
    for first, r in zip(aode._offsets, table.arities, strict=False):
        by_class = joint[first : first + r].sum(axis=0)
        assert by_class.sum() == pytest.approx(1)
        if rule == "friedman":  # the class marginal is the same for each parent, and naive Bayes' prior
            np.testing.assert_allclose(by_class, table.class_prior())


@given(SEEDS, RULES)
def test_factors_of_a_class_sum_to_one(seed, rule) -> None:
    table = Table(seed, rule)
    nb = table.fit(NaiveBayesClassifier)
    assert nb.class_prior_.sum() == pytest.approx(1)
    for first, r in zip(nb._offsets, table.arities, strict=False):
        np.testing.assert_allclose(nb._factors[first : first + r].sum(axis=0), 1)


@pytest.mark.parametrize("Learner", [NaiveBayesClassifier, AODEClassifier], ids=lambda cls: cls.__name__)
def test_a_declared_value_that_training_did_not_show_counts_as_missing_with_friedman(Learner) -> None:
    X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 3)
    learner = Learner(arities=(3, 2), smoothing="friedman").fit(X, [0, 1] * 6)
    np.testing.assert_array_equal(learner.predict_proba([[2, 1]]), learner.predict_proba([[-1, 1]]))


def test_an_unseen_value_counts_as_missing_next_to_numbers() -> None:
    kinds = pd.Categorical(["a", "b", "a", "b"], categories=["a", "b", "never"])
    X = pd.DataFrame({"kind": kinds, "size": [1.0, 2.0, 3.0, 5.0]})
    nb = NaiveBayesClassifier(smoothing="friedman").fit(X, [0, 0, 1, 1])
    rows = X.head(2).assign(kind=pd.Categorical(["never", None], categories=kinds.categories), size=2.0)
    unseen, missing = nb.predict_proba(rows)
    np.testing.assert_array_equal(unseen, missing)
    assert np.isfinite(unseen).all()


@pytest.mark.parametrize(
    ("Learner", "smoothing"),
    [(NaiveBayesClassifier, "friedman"), (AODEClassifier, "friedman"), (AODEClassifier, "m_estimate")],
)
def test_alpha_is_for_laplace_alone(Learner, smoothing) -> None:
    X, y = np.array([[0, 1], [1, 1], [0, 0]]), [0, 1, 1]
    forecasts = [Learner(smoothing=smoothing, alpha=alpha).fit(X, y).predict_proba(X) for alpha in (1.0, 7.0)]
    np.testing.assert_array_equal(*forecasts)
    assert (Learner(alpha=7.0).fit(X, y).predict_proba(X) != Learner().fit(X, y).predict_proba(X)).all()


def test_bad_parameters_are_refused_in_one_sentence() -> None:
    for learner, sentence in [
        (
            NaiveBayesClassifier(smoothing="m_estimate"),
            r'"laplace".*"friedman".*"backoff".*"hdp"',
        ),
        (NaiveBayesClassifier(smoothing=None), "smoothing must be"),
        (AODEClassifier(smoothing="simple"), r'"laplace".*"m_estimate".*"friedman".*"backoff".*"hdp"'),
        (AODEClassifier(alpha=0), r"alpha.*0.*0"),
        (AODEClassifier(alpha="one", smoothing="friedman"), r"alpha.*0.*'one'"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            learner.fit(np.eye(2, dtype=int), [0, 1])
