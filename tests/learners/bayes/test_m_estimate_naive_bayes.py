"""Naive Bayes by m-estimates: by hand, against the formula row by row, and its intervals."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import MEstimateNaiveBayesClassifier, OneRClassifier
from learners.tables.discretize import interval_codes

# two rows of "yes", four of "no"; b declares a third value that no row has
A = pd.Categorical(["p", "p", "q", None, "q", "p"])
B = pd.Categorical.from_codes([0, 0, 0, 1, 1, 0], ["low", "mid", "high"])
X, Y = pd.DataFrame({"a": A, "b": B}), ["yes", "yes", "no", "no", "no", "no"]
F = Fraction


def row(a: str | None, b: str | None) -> pd.DataFrame:
    return pd.DataFrame({"a": pd.Categorical([a], dtype=A.dtype), "b": pd.Categorical([b], dtype=B.dtype)})


@pytest.mark.parametrize(
    ("a", "b", "no", "yes"),
    [  # m = n = 6; a has k = 3 with missing, m / k = 2; b has k = 2, m / k = 3
        ("p", "low", F(1 + 2, 4 + 6) * F(2 + 3, 4 + 6), F(2 + 2, 2 + 6) * F(2 + 3, 2 + 6)),
        ("q", "mid", F(2 + 2, 4 + 6) * F(2 + 3, 4 + 6), F(0 + 2, 2 + 6) * F(0 + 3, 2 + 6)),
        (None, "low", F(1 + 2, 4 + 6) * F(2 + 3, 4 + 6), F(0 + 2, 2 + 6) * F(2 + 3, 2 + 6)),
        ("p", "high", F(1 + 2, 4 + 6), F(2 + 2, 2 + 6)),  # what training did not show is left out,
        ("p", None, F(1 + 2, 4 + 6), F(2 + 2, 2 + 6)),  # missing included
    ],
)
def test_each_factor_is_that_computed_on_paper(a, b, no, yes) -> None:
    no, yes = F(4, 6) * no, F(2, 6) * yes
    got = MEstimateNaiveBayesClassifier().fit(X, Y).predict_proba(row(a, b))
    np.testing.assert_allclose(got, [[float(no / (no + yes)), float(yes / (no + yes))]], rtol=1e-14)


def test_missing_values_are_left_out_on_request_of_training_and_forecast() -> None:
    learner = MEstimateNaiveBayesClassifier(missing="left_out").fit(X[["a"]], Y)
    # three rows of "no" have a; k = 2, m / k = 3
    no, yes = F(4, 6) * F(1 + 3, 3 + 6), F(2, 6) * F(2 + 3, 2 + 6)
    np.testing.assert_allclose(
        learner.predict_proba(row("p", None)[["a"]])[0, 1], float(yes / (no + yes)), rtol=1e-14
    )
    np.testing.assert_allclose(learner.predict_proba(row(None, None)[["a"]]), [[4 / 6, 2 / 6]], rtol=1e-14)


class Case:
    """Random weighted rows of integer codes; -1 is missing."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.arities = rng.integers(1, 5, rng.integers(1, 5))
        codes = [rng.integers(-1, r, 14) for r in self.arities]
        self.X, self.y = np.column_stack(codes), rng.integers(0, 3, 14)
        self.weight = rng.random(14) + 0.1 if seed % 2 else np.ones(14)
        self.rows = np.column_stack([rng.integers(-1, r, 4) for r in self.arities])

    def fit(self, **options) -> MEstimateNaiveBayesClassifier:
        learner = MEstimateNaiveBayesClassifier(arities=self.arities, **options)
        return learner.fit(self.X, self.y, sample_weight=self.weight)

    def forecast(self, row: np.ndarray, m: float, missing: str) -> np.ndarray:
        """Compute the formula for one row."""
        classes = np.unique(self.y)
        prior = np.array([self.weight[self.y == c].sum() for c in classes]) / self.weight.sum()
        out = prior.copy()
        for j, value in enumerate(row):
            used = np.ones(14, bool) if missing == "value" else self.X[:, j] >= 0
            seen = set(self.X[used, j])
            if value not in seen:
                continue
            for c, label in enumerate(classes):
                mine = used & (self.y == label)
                n_c, n_vc = self.weight[mine].sum(), self.weight[mine & (self.X[:, j] == value)].sum()
                out[c] *= (n_vc + m / len(seen)) / (n_c + m) if n_c + m > 0 else 1 / len(seen)
        return out / out.sum() if out.any() else prior


@given(
    st.integers(0, 10_000), st.sampled_from(["n_train", 0, 0.5, 40]), st.sampled_from(["value", "left_out"])
)
def test_forecasts_are_the_formula(seed, m, missing) -> None:
    case = Case(seed)
    got = case.fit(m=m, missing=missing).predict_proba(case.rows)
    rows = case.weight.sum() if m == "n_train" else m
    want = [case.forecast(one, rows, missing) for one in case.rows]
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(got.sum(axis=1), 1, atol=1e-12)


def test_without_m_a_value_excludes_the_classes_that_never_have_it() -> None:
    codes, y = np.array([[0, 1], [0, 1], [1, 0], [1, 0], [1, 0]]), ["no", "no", "yes", "yes", "yes"]
    learner = MEstimateNaiveBayesClassifier(m=0).fit(codes, y)
    got = learner.predict_proba([[1, 0], [0, 1], [0, 0]])
    assert got.tolist() == [[0.0, 1.0], [1.0, 0.0], [0.4, 0.6]]  # the last excludes both


def test_m_near_zero_gives_relative_frequencies_and_large_m_the_prior() -> None:
    codes, y = np.array([[0], [0], [0], [1], [0], [1]]), np.array([0, 0, 0, 0, 1, 1])
    near, far = (
        MEstimateNaiveBayesClassifier(m=m).fit(codes, y).predict_proba([[0], [1]]) for m in (1e-12, 1e12)
    )
    np.testing.assert_allclose(near, [[3 / 4, 1 / 4], [1 / 2, 1 / 2]], atol=1e-9)
    np.testing.assert_allclose(far, [[4 / 6, 2 / 6]] * 2, atol=1e-9)


@given(st.integers(0, 10_000), st.sampled_from([1, 3, 6]))
def test_intervals_are_those_of_1r_before_they_are_joined(seed, small) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 30, 50) / 4, rng.integers(0, 2, 50)
    numbers = pd.DataFrame({"x": x})
    learner = MEstimateNaiveBayesClassifier(small=small).fit(numbers, y)
    cuts, split = learner.cut_points_["x"], OneRClassifier(small=small).fit(numbers, y).split_
    codes = interval_codes(x, cuts)
    tops = [np.bincount(y[codes == code], minlength=2) for code in range(cuts.size + 1)]
    assert all(top.max() >= small for top in tops[:-1])
    joins = [a.argmax() != b.argmax() for a, b in pairwise(tops)]
    if split is not None:  # 1R's own cuts are those between intervals of different classes
        np.testing.assert_array_equal(
            np.searchsorted(split.cuts, x, side="right"), interval_codes(x, cuts[joins])
        )


def test_mdlp_cuts_are_a_choice_and_a_missing_number_is_a_value() -> None:
    x = np.r_[np.zeros(20), np.ones(20), np.full(20, np.nan)]
    y = np.repeat(["a", "b", "c"], 20)
    learner = MEstimateNaiveBayesClassifier(numeric="mdlp").fit(x[:, None], y)
    assert [cuts.tolist() for cuts in learner.cut_points_.values()] == [[0.5]]
    # n_c = 20, m / k = 60 / 3: 40 / 80 for the class that has it, 20 / 80 for the others
    np.testing.assert_allclose(learner.predict_proba([[np.nan]]), [[0.25, 0.25, 0.5]], rtol=1e-14)


def test_parts_merge_into_one_fit_and_m_grows_with_the_rows() -> None:
    case = Case(4)
    first = MEstimateNaiveBayesClassifier(arities=case.arities).partial_fit(
        case.X[:7], case.y[:7], classes=[0, 1, 2]
    )
    merged = first.merged(first.emptied().partial_fit(case.X[7:], case.y[7:]))
    once = MEstimateNaiveBayesClassifier(arities=case.arities).fit(case.X, case.y)
    np.testing.assert_array_equal(merged.predict_proba(case.rows), once.predict_proba(case.rows))


def test_bad_parameters_are_refused() -> None:
    for options, message in [
        ({"m": "n"}, "m.*\"n_train\".*0.*'n'"),
        ({"m": -1}, r"m.*number.*least 0.*-1"),
        ({"numeric": "weka"}, r"numeric.*one_r.*'weka'"),
        ({"small": -1}, r"small.*0"),
        ({"missing": "own"}, r"missing.*left_out.*'own'"),
    ]:
        with pytest.raises(ValueError, match=message):
            MEstimateNaiveBayesClassifier(**options).fit(X, Y)
