"""Parts of a suite are nested, are chosen by time, and become studies."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from tests.marks import need
from workbench.base.errors import WorkbenchError
from workbench.profiles.entrants import ENTRANTS
from workbench.profiles.measure import Measured, measured
from workbench.profiles.part import SuitePart
from workbench.profiles.planning import _affordable, _largest, fitting_part, measured_in
from workbench.profiles.profile import profile
from workbench.profiles.scores import LOSS
from workbench.study.learner_spec import LearnerSpec, read_learners

WHOLE = SuitePart.whole()


def seconds(narrow, wide=None):
    sizes = sorted({size for _, size in WHOLE.counts})
    return {
        (width, size): cost * size
        for width, cost in (("narrow", narrow), ("wide", wide or narrow))
        for size in sizes
    }


def test_the_whole_has_the_cells_of_every_place() -> None:
    assert WHOLE.n_cells == sum(place.n_truths * len(place.sizes) for place in WHOLE.content.places) == 10_080
    assert WHOLE.is_whole


def test_parts_are_nested() -> None:
    """The cells of a smaller part are those of a larger one, so that a profile can be enlarged."""
    spec = LearnerSpec("nb", "nb")
    small, large = SuitePart(1, 50).study([spec]), SuitePart(2, 500).study([spec])
    cells = [next(iter(study.design.rounds(_plan(study)))) for study in (small, large)]
    known = {(cell.source, cell.replicate, cell.n_train): large.identify(cell) for cell in cells[1]}
    for cell in cells[0][::17]:
        assert small.identify(cell) == known[cell.source, cell.replicate, cell.n_train]


def _plan(study):
    from workbench.designs import StudyOutline

    return StudyOutline({source.key: 1 for source in study.sources}, ("nb",), scores=list)


@pytest.mark.parametrize(
    ("minutes", "n_truths", "largest"), [(1e6, 16, 20000), (5, 9, 20000), (1, 16, 1500), (0.2, 16, 150)]
)
def test_the_largest_part_that_fits_has_large_sizes_before_many_truths(minutes, n_truths, largest) -> None:
    found = _largest(WHOLE, seconds(2e-5), 60 * minutes, minutes, ["x"])
    assert (found.n_truths, found.largest) == (n_truths, largest)


def test_what_is_too_slow_for_the_least_part_is_one_sentence() -> None:
    with pytest.raises(WorkbenchError, match=r"slow cannot be profiled in 1 min: 2 truths of each place"):
        _largest(WHOLE, dict.fromkeys(seconds(1), 1.0), 60, 1, ["slow"])
    with pytest.raises(WorkbenchError, match="take much longer"):
        _largest(WHOLE, dict.fromkeys(seconds(1), np.inf), 60, 1, ["slow"])


def test_a_part_says_what_it_leaves_out() -> None:
    assert SuitePart(4, 1500).words.startswith(
        "4 of the 16 truths of each place of bias-v2, without more than 1,500 rows: "
    )
    assert WHOLE.words == "all of bias-v2: 16 truths of each place, up to 20,000 rows"


def test_a_suite_without_places_is_refused() -> None:
    with pytest.raises(WorkbenchError, match="'bias-v1' has no places"):
        SuitePart.whole("bias-v1")
    with pytest.raises(WorkbenchError, match=r"unknown suite 'bias-v9'; did you mean"):
        SuitePart(1, 20, "bias-v9").study([LearnerSpec("nb", "nb")])


def test_every_entrant_has_a_learner_of_its_own() -> None:
    identities = {}
    for key, entrant in ENTRANTS.items():
        identities.setdefault(str(entrant.spec.identity), []).append(key)
    assert [keys for keys in identities.values() if len(keys) > 1] == []


@pytest.mark.parametrize(("seconds", "n_truths"), [(100, 2), (2000, 4), (1e9, 16)])
def test_the_number_of_truths_follows_from_the_time_of_the_first(seconds, n_truths) -> None:
    part = SuitePart(2, 500)
    one_truth = 500 - 0.01 * part.n_cells / 2
    found = Measured(None, part, None, spent=2 * one_truth)
    assert _affordable(found, seconds) == n_truths


class Demanding(ClassifierMixin, BaseEstimator):
    """Class frequencies of at least 30 rows."""

    def fit(self, X, y):
        if len(y) < 30:
            raise ValueError("fewer than 30 rows")
        self.classes_, self.counts_ = np.unique(y, return_counts=True)
        return self

    def predict_proba(self, X):
        return np.tile(self.counts_ / self.counts_.sum(), (len(X), 1))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


@pytest.fixture
def timed(monkeypatch):
    """Let each cell have taken a millisecond a row; no limit stops one."""
    one = lambda cells: cells["n_train"] * 0.001  # noqa: E731
    monkeypatch.setattr("workbench.profiles.planning.wall_seconds", one)
    monkeypatch.setattr("workbench.profiles.measure.wall_seconds", one)
    monkeypatch.setattr("workbench.profiles.planning._time_limit", lambda minutes: None)


def test_a_run_is_arranged_by_place_truth_and_size(few_places) -> None:
    found = measured([LearnerSpec("nb", "nb"), LearnerSpec("prior", "prior")], SuitePart(2, 50))
    assert found.failed.empty
    assert found.scores.values[LOSS].shape == (2, 17, 2, 2)
    nb, prior = found.scores.values[LOSS]
    place = found.scores.places.index("naive_bayes-narrow-medium")
    assert (nb[place] < prior[place]).all()
    assert found.scores.seconds["fit"].shape == (2, 17, 2)


@pytest.mark.slow
def test_a_learner_that_fails_on_few_rows_is_planned_by_the_others(few_places, timed, tmp_path) -> None:
    (spec,) = read_learners({"demanding": Demanding()})
    store = tmp_path / "demanding.db"
    first = measured_in(0.4, spec, store=store, progress=False)
    assert first.part == SuitePart(10, 50)
    again = measured_in(0.4, spec, store=store, progress=False)  # what is stored is not timed again
    assert (again.part, len(again.failed)) == (first.part, len(first.failed))
    assert set(first.failed["n_train"]) == {20}


class Nominal(Demanding):
    """Refuses categories."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags

    def fit(self, X, y):
        if any(X.dtypes == "category"):
            raise ValueError("no categories")
        return super().fit(X, y)


@pytest.mark.parametrize("options", [{"minutes": 1}, {"truths": 2, "largest": 150}])
def test_a_profile_stops_where_the_first_fits_fail(few_places, timed, monkeypatch, options) -> None:
    computed = []
    monkeypatch.setattr("workbench.profiles.profile.measured", lambda *args, **kw: computed.append(args))
    with pytest.raises(
        WorkbenchError, match=r"'Nominal' cannot be profiled: all first fits, .*no categories"
    ):
        profile(Nominal(), progress=False, **options)
    assert not computed


@pytest.mark.slow
@pytest.mark.parametrize("key, rounds", [("catboost", "iterations"), ("xgboost", "n_estimators")])
def test_a_profile_of_a_rival_has_no_failure(few_places, key, rounds) -> None:
    need(key)
    spec = LearnerSpec(key, learner=key, parameters={rounds: 3})
    assert profile(spec, truths=2, largest=50, invariances=False, progress=False).failed.empty


def test_the_part_fits_the_time(few_places, timed) -> None:
    found = fitting_part([LearnerSpec("nb", "nb")], 2)
    assert found == SuitePart(12, 150)
    with pytest.raises(WorkbenchError, match=r"nb cannot be profiled in 0.01 min"):
        fitting_part([LearnerSpec("nb", "nb")], 0.01)
