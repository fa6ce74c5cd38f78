"""Other people's estimators: what they are fed, and how their answers are aligned."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from learners import NaiveBayesClassifier
from workbench.estimators.foreign import ForeignClassifier, adapt
from workbench.metrics._shared.checks import align


@pytest.fixture
def rows() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(1)
    a = pd.Categorical.from_codes(rng.integers(0, 2, 60), categories=["u", "v", "w"])
    b = pd.Categorical.from_codes(rng.integers(-1, 3, 60), categories=[3, 1, 2])
    y = pd.Categorical.from_codes(a.codes, categories=["no", "yes", "never"])
    return pd.DataFrame({"a": a, "b": b}), pd.Series(y, name="y")


class Recorder(ClassifierMixin, BaseEstimator):
    """Remember what `fit` was given."""

    def __init__(self, tag=None):
        self.tag = tag

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self.tag:
            setattr(tags.input_tags, self.tag, True)
        return tags

    def fit(self, X, y):
        self.X_, self.y_, self.classes_ = X, y, np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_unseen_and_reordered_classes_are_aligned():
    y_prob = np.array([[0.25, 0.75], [1.0, 0.0]])
    aligned = align(y_prob, np.array(["b", "c"]), ("c", "a", "b"))
    assert aligned.tolist() == [[0.75, 0.0, 0.25], [0.0, 0.0, 1.0]]


def test_alignment_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match=r"the learner names class 7, .* declared .*\[0, 1\]"):
        align(np.array([[0.5, 0.5]]), np.array([0, 7]), (0, 1))
    with pytest.raises(ValueError, match=r"shape \(1, 3\): expected a column for each of 2 classes"):
        align(np.array([[0.5, 0.5, 0.0]]), np.array([0, 1]), (0, 1))


def test_one_hot_columns_are_those_of_scikit_learn(rows):
    X, y = rows
    adapted = ForeignClassifier(Recorder()).fit(X, y)
    encoder = OneHotEncoder(
        categories=[list(X[name].cat.categories) for name in X], handle_unknown="ignore", sparse_output=False
    )
    expected = encoder.fit_transform(X.astype(object).where(X.notna(), "missing"))
    np.testing.assert_array_equal(adapted.estimator.X_, expected)


def test_values_are_read_by_label_whatever_the_order_of_the_categories(rows):
    X, y = rows
    adapted = ForeignClassifier(DecisionTreeClassifier(random_state=0)).fit(X, y)
    turned = X.assign(a=X["a"].cat.reorder_categories(["w", "v", "u"]), b=X["b"].astype(object))
    np.testing.assert_array_equal(adapted.predict_proba(turned), adapted.predict_proba(X))


def test_numbers_pass_as_they_are_next_to_categories(rows):
    X, y = rows
    X = X.assign(c=np.linspace(0.0, 1.0, len(X)))
    fed = ForeignClassifier(Recorder()).fit(X, y).estimator.X_
    assert fed.shape == (60, 7)
    np.testing.assert_array_equal(fed[:, 6], X["c"])


@pytest.mark.parametrize("tag", ["categorical", "string"])
def test_who_reads_categories_gets_the_table(rows, tag):
    X, y = rows
    assert ForeignClassifier(Recorder(tag)).fit(X, y).estimator.X_.equals(X)


def test_what_an_estimator_does_to_its_table_does_not_reach_the_next(rows):
    class Vandal(Recorder):
        def fit(self, X, y):
            X["a"] = 0
            X.iloc[0, 1] = None
            y[:] = "no"
            return super().fit(X, y)

    X, y = rows
    before = X.copy(), y.copy()
    ForeignClassifier(Vandal("string")).fit(X, y)
    assert X.equals(before[0])
    assert y.equals(before[1])


class ShortFloats(ClassifierMixin, BaseEstimator):
    """Answers in float32, as tree boosters do."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), [0.1, 0.9], dtype=np.float32)


def test_probabilities_of_short_floats_sum_to_one(rows):
    X, y = rows
    y_prob = ForeignClassifier(ShortFloats()).fit(X, y).predict_proba(X)
    assert y_prob.dtype == np.float64
    np.testing.assert_allclose(y_prob.sum(axis=1), 1.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("estimator", [LinearSVC(), Recorder()], ids=["LinearSVC", "predict alone"])
def test_an_estimator_without_probabilities_says_one_for_its_prediction(rows, estimator):
    X, y = rows
    adapted = ForeignClassifier(estimator).fit(X, y)
    y_prob = adapted.predict_proba(X)
    assert set(y_prob.ravel()) == {0.0, 1.0}
    assert (adapted.classes_[y_prob.argmax(axis=1)] == adapted.predict(X)).all()


@pytest.mark.parametrize(
    "estimator, why",
    [
        (LogisticRegression(), "at least 2 classes"),  # it raises
        (HistGradientBoostingClassifier(max_iter=2), "classes_ have length 1"),  # it answers two columns
        (DecisionTreeClassifier(), ""),
    ],
)
def test_one_class_is_learned_or_refused_and_has_probability_one(rows, estimator, why):
    X, y = rows
    only = y.copy()
    only[:] = "never"
    adapted = ForeignClassifier(estimator).fit(X, only)
    assert why in adapted.refused_
    assert bool(adapted.refused_) == bool(why)
    aligned = align(adapted.predict_proba(X), adapted.classes_, ("no", "yes", "never"))
    assert (aligned == [0.0, 0.0, 1.0]).all()


class Knowing(Recorder):
    """Knows all classes, whichever the training rows have."""

    def fit(self, X, y):
        self.classes_ = np.array(["never", "no", "yes"])
        return self

    def predict_proba(self, X):
        return np.tile([0.5, 0.2, 0.3], (len(X), 1))


def test_of_one_class_a_learner_may_say_more(rows):
    X, y = rows
    only = y.copy()
    only[:] = "never"
    adapted = ForeignClassifier(Knowing()).fit(X, only)
    aligned = align(adapted.predict_proba(X), adapted.classes_, ("no", "yes", "never"))
    assert (aligned == [0.2, 0.3, 0.5]).all()


class Nameless(Recorder):
    """Answers in the order in which it met the classes, and does not say which that is."""

    def __init__(self, as_frame=False):
        self.as_frame = as_frame

    def __sklearn_tags__(self):
        return ClassifierMixin.__sklearn_tags__(self)

    def fit(self, X, y):
        self.met_ = list(dict.fromkeys(y))
        return self

    def predict_proba(self, X):
        answer = np.tile(np.arange(1.0, len(self.met_) + 1), (len(X), 1))
        answer /= answer.sum(axis=1, keepdims=True)
        return pd.DataFrame(answer, columns=self.met_) if self.as_frame else answer


def test_columns_without_classes_cannot_be_assigned_and_are_refused(rows):
    X, y = rows
    adapted = ForeignClassifier(Nameless()).fit(X, y)
    with pytest.raises(ValueError, match="Nameless has no classes_, so its columns cannot be assigned"):
        adapted.predict_proba(X)
    named = ForeignClassifier(Nameless(as_frame=True)).fit(X, y)
    met = dict.fromkeys(y)
    found = dict(zip(named.classes_, named.predict_proba(X)[0], strict=True))
    assert sorted(met, key=found.get) == list(met)


def test_ours_and_their_subclasses_are_not_wrapped():
    class Mine(NaiveBayesClassifier):
        pass

    ours, mine, other = NaiveBayesClassifier(), Mine(), BernoulliNB()
    assert adapt(ours) is ours
    assert adapt(mine) is mine
    assert isinstance(adapt(other), ForeignClassifier)


@pytest.mark.parametrize("mistake", [AttributeError, NameError, ImportError, KeyError, IndexError])
def test_a_mistake_on_rows_of_one_class_is_no_refusal(rows, mistake):
    class Mistaken(BernoulliNB):
        def fit(self, X, y):
            raise mistake("of its code")

    X, _ = rows
    with pytest.raises(mistake, match="of its code"):
        ForeignClassifier(Mistaken()).fit(X, pd.Series(["a"] * len(X), index=X.index))
