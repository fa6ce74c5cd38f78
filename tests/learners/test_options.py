"""Invalid parameters are refused in one sentence; what a user may have meant counts."""

import inspect

import numpy as np
import pytest

import learners
from learners.base import ProbabilisticClassifier
from learners.options import check_flag, check_number, check_share

FLAGS = [
    (learners.C45Classifier, "prune"),
    (learners.J48Classifier, "prune"),
    (learners.J48Classifier, "raising"),
    (learners.J48Classifier, "collapse"),
    (learners.J48Classifier, "laplace"),
    (learners.C50Classifier, "global_pruning"),
    (learners.FOILClassifier, "negation"),
]
OURS = [
    Learner
    for name in learners.__all__
    if inspect.isclass(Learner := getattr(learners, name)) and issubclass(Learner, ProbabilisticClassifier)
    if "arities" in inspect.signature(Learner).parameters
]
X, Y = np.arange(24.0).reshape(12, 2) % 7, np.arange(12) % 2


@pytest.mark.parametrize(("Learner", "name"), FLAGS)
def test_a_flag_is_true_or_false_and_nothing_else(Learner, name) -> None:
    for value in ("false", "True", None, 0, 1, 0.5, []):
        with pytest.raises(ValueError, match=f"^{name} must be True or False, but was ") as caught:
            Learner(**{name: value}).fit(X, Y)
        assert repr(value) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("Learner", "name"), [*FLAGS, (learners.MMLGraphClassifier, "joins")])
def test_a_flag_of_numpy_is_a_flag(Learner, name) -> None:
    for value in (False, True):
        ours, theirs = (Learner(**{name: kind(value)}).fit(X, Y) for kind in (bool, np.bool_))
        assert ours.export_text() == theirs.export_text()


def test_the_flags_are_all() -> None:
    """Every learner of trees or rules whose parameter is declared as a truth value is above."""
    symbolic = [
        Learner for Learner in OURS if Learner.__module__.startswith(("learners.trees", "learners.rules"))
    ]
    declared = {
        (Learner, name)
        for Learner in symbolic
        for name, kind in Learner.__init__.__annotations__.items()
        if kind is bool
    }
    assert declared == set(FLAGS)


def test_flags_come_back_as_pythons() -> None:
    assert check_flag("f", np.True_) is True


def nominal_shares_have_their_ends() -> None:
    for value in (0, 1, 0.5, np.float32(0.25), np.int64(1)):
        assert check_share("s", value) == value


def test_what_is_no_share_is_refused() -> None:
    for value in [-0.01, 1.01, 80, np.nan, np.inf, "0.5", None, True, np.True_, [0.5]]:
        with pytest.raises(ValueError, match=r"s.*0.*1.*80.*0\.8"):
            check_share("s", value)


def test_a_number_must_be_finite() -> None:
    for value in (np.inf, -np.inf, np.nan):
        with pytest.raises(ValueError, match=r"a.*finite number.*0"):
            check_number("a", value, above=0)
        with pytest.raises(ValueError, match=r"a.*finite number"):
            check_number("a", value)
    with pytest.raises(ValueError, match=r"a.*number above 0.*0"):
        check_number("a", 0, above=0)


@pytest.mark.parametrize("Learner", OURS, ids=lambda Learner: Learner.__name__)
def test_arities_that_are_none_are_refused(Learner) -> None:
    codes = np.arange(24).reshape(12, 2) % 2
    some = ["x", "xy", 2, [2], [2, 0], [2, 2.5], [2, "2"], [True, 2]]
    for arities in some if Learner is learners.C45Classifier else [[2]]:
        with pytest.raises(ValueError, match=r"arities.*2") as caught:
            Learner(arities=arities).fit(codes, Y)
        assert repr(arities) in str(caught.value)


def test_arities_may_be_any_whole_numbers() -> None:
    codes = np.arange(24).reshape(12, 2) % 2
    for arities in ([2, None], (np.int64(2), 2), np.array([2, 2])):
        assert learners.C45Classifier(arities=arities).fit(codes, Y).arities_[0] == 2
