"""Invariances: known learners pass what they should, and planted faults are found."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from learners import NaiveBayesClassifier, TANClassifier
from workbench import check_invariances
from workbench.base.errors import WorkbenchError
from workbench.invariances import fits
from workbench.invariances.family import CHECKS
from workbench.invariances.fits import difference, jensen_shannon
from workbench.invariances.pairs import _is_noise
from workbench.invariances.rows import NOMINAL, NUMERIC, draw_rows

HARMLESS = ["order of rows", "order of columns", "names of values", "names of classes", "weights"]
ORDERS = ["order of rows", "order of columns", "names of classes"]


def verdicts(estimator, checks=None, **options):
    found = check_invariances(estimator, checks=checks, **options)
    return dict(zip(found.table["check"], found.table["verdict"], strict=True))


def row(found, check):
    return found.table.set_index("check").loc[check]


class Planted(ClassifierMixin, BaseEstimator):
    """Gaussian naive Bayes with a fault."""

    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(self.read(X), y)
        self.classes_ = self.inner_.classes_
        return self

    def read(self, X):
        return X

    def predict_proba(self, X):
        return self.inner_.predict_proba(self.read(X))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class WithoutThird(Planted):
    def read(self, X):
        return np.delete(X, 2, axis=1)


class WithoutThirdCategory(NaiveBayesClassifier):
    def fit(self, X, y):
        return super().fit(X.drop(columns=X.columns[2]), y)

    def predict_proba(self, X):
        return super().predict_proba(X.drop(columns=X.columns[2]))


class LaterRowsCount(Planted):
    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(X, y, sample_weight=np.linspace(0.1, 1.0, len(X)))
        self.classes_ = self.inner_.classes_
        return self


class FavorsFirstClass(Planted):
    def predict_proba(self, X):
        y_prob = super().predict_proba(X)
        return (y_prob + np.eye(len(self.classes_))[0]) / 2


class Rote(Planted):
    """Certain of rows that it knows, and of nothing else."""

    def fit(self, X, y):
        super().fit(X, y)
        self.known_ = {
            tuple(x): np.flatnonzero(self.classes_ == label)[0] for x, label in zip(X, y, strict=True)
        }
        return self

    def predict_proba(self, X):
        k = len(self.classes_)
        return np.array([np.eye(k)[self.known_[tuple(x)]] if tuple(x) in self.known_ else np.full(k, 1 / k)
                         for x in X])  # fmt: skip


class NeedsVariance(Planted):
    def fit(self, X, y):
        if (X.std(axis=0) == 0).any():
            raise ZeroDivisionError("a column does not vary")
        return super().fit(X, y)


class NeverFits(Planted):
    def fit(self, X, y):
        raise RuntimeError("not today")


# Known learners


def test_naive_bayes_passes_what_is_harmless():
    assert set(verdicts("nb", [*HARMLESS, "constant column"], n_truths=1).values()) == {"unchanged"}


def test_tan_passes_what_is_harmless_but_for_the_first_column_as_its_root():
    found = verdicts(TANClassifier(), HARMLESS, n_truths=2)
    assert found.pop("order of columns") == "changed"
    assert set(found.values()) == {"unchanged"}


def test_a_copied_column_changes_naive_bayes():
    found = check_invariances(NaiveBayesClassifier(), checks=["copied column"])
    one = row(found, "copied column")
    assert one["verdict"] == "changed"
    assert one["change (bits)"] > 0.001
    assert found.sentences == (f"Changed by a copied column ({one['change (bits)']:.3f} bits).",)


@pytest.mark.parametrize(
    ("learner", "kind"),
    [("nb", NOMINAL), (CategoricalNB(), NOMINAL), (GaussianNB(), NUMERIC),
     (HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=1), NOMINAL)],
)  # fmt: skip
def test_rows_are_of_the_kind_that_a_learner_reads(learner, kind):
    found = check_invariances(learner, checks=["order of rows", "names of values"], n_truths=1)
    assert found.table["rows"].tolist() == [kind, NOMINAL]


def test_standardized_logistic_regression_does_not_see_units():
    learner = make_pipeline(StandardScaler(), LogisticRegression())
    found = verdicts(learner, ["linear transform", "monotone transform", "constant column"], n_truths=1)
    assert found == {
        "constant column": "unchanged", "linear transform": "unchanged", "monotone transform": "changed",
    }  # fmt: skip


def test_nearest_neighbors_see_units():
    found = check_invariances(KNeighborsClassifier(), checks=["linear transform"])
    assert row(found, "linear transform")["verdict"] == "changed"
    assert row(found, "linear transform")["change (bits)"] > 0.05


@pytest.mark.slow
def test_a_tree_cuts_halfway_between_values_so_that_few_rows_notice_a_monotone_transform():
    # With all columns at each split and equal seeds, nothing but the place of the cut differs.
    found = check_invariances("c45", checks=["linear transform", "monotone transform"])
    assert row(found, "linear transform")["verdict"] == "unchanged"
    assert row(found, "monotone transform")["verdict"] == "changed"
    assert row(found, "monotone transform")["change (bits)"] < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("seed", [None])
def test_the_order_of_rows_is_within_the_noise_of_a_forest(seed):
    forest = RandomForestClassifier(30, random_state=seed)
    found = check_invariances(forest, checks=["refit", *ORDERS, "linear transform"])
    assert row(found, "refit")["verdict"] == "random"
    assert row(found, "order of rows")["verdict"] == "within its own noise"
    assert row(found, "linear transform")["verdict"] == "unchanged"
    assert any(
        sentence.startswith("Changed no more than by a refit: the order of") for sentence in found.sentences
    )


def test_the_prior_ignores_every_column():
    found = check_invariances("prior", checks=["use of columns", "irrelevant column"], n_truths=1)
    assert found.ignored_columns == (1, 2, 3, 4, 5, 6)
    assert found.sentences == ("Unchanged by an irrelevant column.", "Ignores every column.")


def test_without_predict_proba_the_predicted_class_is_the_forecast():
    assert verdicts(LinearSVC(), ["order of rows", "weights"]) == {
        "order of rows": "unchanged", "weights": "unchanged",
    }  # fmt: skip


# Planted faults


@pytest.mark.parametrize("learner", [WithoutThird(), WithoutThirdCategory()])
def test_an_ignored_column_is_found(learner):
    found = check_invariances(learner, checks=["use of columns"], n_truths=2)
    assert found.ignored_columns == (3,)
    assert found.sentences == ("Ignores column 3.",)


def test_dependence_on_the_order_of_rows_is_found():
    assert verdicts(LaterRowsCount(), ORDERS, n_truths=1) == dict(
        zip(ORDERS, ["changed", "unchanged", "unchanged"], strict=True)
    )


def test_dependence_on_the_order_of_classes_is_found():
    assert verdicts(FavorsFirstClass(), ORDERS, n_truths=1) == dict(
        zip(ORDERS, ["unchanged", "unchanged", "changed"], strict=True)
    )


def test_memory_is_found():
    found = check_invariances(Rote(), checks=["memory"], n_truths=2)
    assert found.sentences == ("Memorizes: 1.00 on the labels of its training rows, 0.33 expected.",)
    assert verdicts("nb", ["memory"])["memory"] == "does not memorize"


def test_a_failure_ends_its_own_check_alone():
    found = check_invariances(NeedsVariance(), checks=["order of rows", "constant column", "copied column"])
    assert found.table["verdict"].tolist() == ["unchanged", "failed", "changed"]
    assert found.sentences[-1] == "Fails with a constant column: ZeroDivisionError: a column does not vary."


def test_a_learner_that_never_fits_is_said_to_once():
    found = check_invariances(NeverFits(), n_truths=1)
    assert set(found.table["verdict"]) == {"failed", "not applicable"}
    assert sum("not today" in sentence for sentence in found.sentences) == 1


def test_a_learner_that_cannot_be_seeded_is_random():
    class Unseeded(Planted):
        stream = np.random.default_rng(1)  # which all copies share

        def predict_proba(self, X):
            noise = self.stream.dirichlet(np.ones(len(self.classes_)), size=len(X))
            return (super().predict_proba(X) + 0.1 * noise) / 1.1

    found = check_invariances(Unseeded(), checks=["refit", *ORDERS], n_truths=2)
    assert found.table["verdict"].tolist() == ["random", *["within its own noise"] * 3]
    assert row(found, "refit")["note"] == "although there is no random_state"


def test_weights_need_an_argument():
    found = check_invariances(KNeighborsClassifier(), checks=["weights"])
    assert row(found, "weights")["verdict"] == "not applicable"
    assert row(found, "weights")["note"] == "no sample_weight"


def test_weights_reach_a_learner_of_others():
    rows = draw_rows(NUMERIC, 100, 0)
    weight = np.linspace(0.0, 2.0, 100)
    one = fits.FreshFits(GaussianNB(), 0)
    weighted = one.forecast(fits.TrialRows(rows.X, rows.y, rows.X_test, rows.y_test, rows.labels, weight))
    theirs = GaussianNB().fit(rows.X.to_numpy(), rows.y, sample_weight=weight)
    np.testing.assert_allclose(weighted, theirs.predict_proba(rows.X_test.to_numpy()))


# Differences and noise


def test_jensen_shannon_by_hand():
    # m = (3/4, 1/4): KL(p, m) = log2(4/3); KL(q, m) = (log2(2/3) + log2 2) / 2
    by_hand = (np.log2(4 / 3) + (np.log2(2 / 3) + 1) / 2) / 2
    found = jensen_shannon(
        np.array([[1.0, 0.0], [1.0, 0.0], [0.3, 0.7]]), np.array([[0.5, 0.5], [0.0, 1.0], [0.3, 0.7]])
    )
    np.testing.assert_allclose(found, [by_hand, 1.0, 0.0], atol=1e-15)


def test_a_difference_has_its_mean_its_largest_and_its_share():
    found = difference(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.0, 1.0], [0.5, 0.5]]))
    assert (found.bits, found.largest, found.moved) == (0.5, 1.0, 0.5)


@pytest.mark.parametrize(
    ("changes", "refits", "expected"),
    [
        ([0.01, 0.001], [[0.009, 0.011], [0.0009, 0.0011]], True),  # of the size of each truth's refits
        ([0.01, 0.01], [[0.009, 0.011], [0.0009, 0.0011]], False),  # far above those of the second truth
        ([0.01, 0.01], [[0.009, 0.011], [0.0, 0.0]], False),  # where nothing is random
        ([0.01, 0.0], [[0.009, 0.011], [0.0, 0.0]], True),  # where nothing happens
        ([0.01], [[0.0]], False),
    ],
)
def test_noise_is_judged_truth_by_truth(changes, refits, expected):
    assert _is_noise(changes, refits) is expected


# The function and its result


def test_the_same_seed_gives_the_same_table():
    one, other = (
        check_invariances(DecisionTreeClassifier(), checks=ORDERS[:2], n_truths=1) for _ in range(2)
    )
    pd.testing.assert_frame_equal(one.table, other.table)


def test_all_checks_are_in_the_table_in_their_order():
    found = check_invariances("nb", n_truths=1)
    assert found.table["check"].tolist() == [check.name for check in CHECKS]
    assert found.sentences[0].startswith(
        "Unchanged by a refit, the order of rows and columns, the names of values and classes,"
    )


def test_checks_are_left_out_when_time_is_up():
    found = check_invariances("nb", checks=["order of rows", "memory"], max_seconds=0)
    assert set(found.table["verdict"]) == {"left out: time"}
    assert found.sentences == ("Left out, because the time limit was reached: order of rows and memory.",)


@pytest.mark.parametrize(
    ("estimator", "options", "message"),
    [
        ("nbb", {}, "unknown learner 'nbb'"),
        (StandardScaler(), {}, "expected an unfitted scikit-learn classifier"),
        (["nb", "tan"], {}, "got 2 learners, expected one"),
        ("truth", {}, "needs the truth or its law"),
        ("nb", {"checks": ["order of row"]}, "did you mean 'order of rows'?"),
        ("nb", {"n_rows": 3}, "n_rows is 3: expected an integer of at least 50"),
        ("nb", {"max_seconds": -1}, "max_seconds is -1"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(estimator, options, message):
    with pytest.raises(WorkbenchError, match=message.replace("?", r"\?")):
        check_invariances(estimator, **options)
