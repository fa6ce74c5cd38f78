"""Ask of each metric what it declares: every flag is a property that holds, or has a counterexample."""

import copy
import inspect
import math
import pickle
import pkgutil
from dataclasses import dataclass, replace
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import Phase, assume, find, given, settings
from hypothesis import strategies as st

from learners.counts.class_prior import class_prior as prior_of_counts
from workbench import metrics as room
from workbench.metrics import METRICS, CodeLength, Metric

SOME = settings(max_examples=15, deadline=None, derandomize=True)
#: For an example of what a flag denies: any will do, so it is not made smaller.
SEARCH = settings(max_examples=500, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
EVEN, SKEWED = [0.25] * 4, [0.9, 0.06, 0.03, 0.01]
#: A flat file is a family's; what families share, and functions of metrics, stand in folders.
FILES = [module.name for module in pkgutil.iter_modules(room.__path__) if not module.ispkg]


def those(holds):
    """Parametrize a test by the metrics for which `holds` is true."""
    chosen = {name: metric for name, metric in METRICS.items() if holds(metric)}
    return pytest.mark.parametrize("metric", chosen.values(), ids=chosen.keys())


metrics = those(lambda metric: True)
of_answers = those(lambda metric: metric.needs != {"theory"})
of_theories = those(lambda metric: "theory" in metric.needs)
of_forecasts = those(lambda metric: not metric.needs & {"truth", "sets", "theory"})
with_classes = those(lambda metric: "truth" not in metric.needs and metric.needs != {"theory"})
with_per_sample = those(lambda metric: metric.has_per_sample)
with_expected = those(lambda metric: metric.has_expected)
scoring_rules = those(lambda metric: hasattr(metric, "by_class"))


@dataclass(frozen=True)
class Case:
    """What a metric may be asked about a few samples: it takes of it what it needs."""

    codes: np.ndarray
    rows: np.ndarray  # the forecast
    p_true: np.ndarray  # the truth's own probabilities
    sets: np.ndarray
    prior: np.ndarray

    def samples(self, order):
        """Take samples, by their places."""
        taken = {name: getattr(self, name)[order] for name in ("codes", "rows", "p_true", "sets")}
        return replace(self, **taken)

    def columns(self, order):
        """Put classes into another order."""
        tables = {name: getattr(self, name)[:, order] for name in ("rows", "p_true", "sets")}
        return replace(self, codes=np.argsort(order)[self.codes], prior=self.prior[order], **tables)


def distributions(rng, n, k):
    """Make n distributions over k classes, with zeros, tiny and equal numbers, and rows that are repeated."""
    m = rng.integers(1, n + 1)
    kind = rng.integers(5, size=(m, k))
    kind[np.arange(m), rng.integers(k, size=m)] = rng.integers(3, 5, size=m)  # of every row one is no trifle
    low, high = rng.uniform(-300, -200, (m, k)), rng.uniform(-20, -10, (m, k))
    some = rng.uniform(0.01, 1.0, (m, k))
    distinct = np.choose(kind, [np.zeros((m, k)), 10**low, 10**high, some, np.ceil(some * 4) / 4])
    rows = distinct[np.arange(n) % m]
    return rows / rows.sum(axis=1, keepdims=True)


def case_of(rng, least, most):
    k, n = rng.integers(2, 6), rng.integers(least, most + 1)
    codes, sets = rng.integers(k, size=n), rng.random((n, k)) < 0.5
    counts = rng.integers(0, 10 ** rng.integers(7, size=k), endpoint=True)
    counts[rng.random(k) < 0.2] = 0
    prior = prior_of_counts(counts, alpha=rng.choice([0.5, 1e-9]))
    return Case(codes, distributions(rng, n, k), distributions(rng, n, k), sets, prior)


#: Seeds in place of values one by one, which take hypothesis ten times as long as a metric its score.
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@st.composite
def cases(draw, least=1, most=6):
    """Draw a few samples of two to five classes."""
    return case_of(draw(generators), least, most)


def score(metric, case, **options):
    """Score the samples of a case."""
    if "truth" in metric.needs:
        return metric(case.p_true, case.rows)
    if "theory" in metric.needs:
        return metric(Telling(0.0), case.codes, case.sets, **options)
    if "sets" in metric.needs:
        return metric(case.codes, case.sets, **options)
    return metric(case.codes, case.rows, prior=case.prior, **options)


def per_sample(metric, case):
    if "sets" in metric.needs:
        return metric.per_sample(case.codes, case.sets)
    first = case.p_true if "truth" in metric.needs else case.codes
    options = {} if "truth" in metric.needs else {"prior": case.prior}
    return metric.per_sample(first, case.rows, **options)


def expected(metric, p_x, case):
    """Return the exact score of the rows as forecasts of cells, whose truth is `p_true`."""
    if "truth" in metric.needs:
        return metric.expected(p_x, case.p_true, case.rows)
    return metric.expected(p_x[:, None] * case.p_true, case.rows, prior=case.prior)


@st.composite
def cells(draw):
    """Draw probabilities of cells, and a case of which one sample stands for each.

    The forecast is any, or the truth with its classes exchanged.
    """
    rng = draw(generators)
    case = case_of(rng, 1, 4)
    if rng.random() < 0.5:
        case = replace(case, rows=case.p_true[:, rng.permutation(case.prior.size)])
    p_x = rng.uniform(0.01, 1.0, len(case.rows))
    return p_x / p_x.sum(), case


def better(metric, first, second):
    return first > second if metric.direction == "higher" else first < second


def against_the_truth(metric, drawn):
    """Return the expected scores of the truth and of the forecast, and their weighted squared distance."""
    p_x, case = drawn
    at_truth = expected(metric, p_x, replace(case, rows=case.p_true))
    return at_truth, expected(metric, p_x, case), p_x @ ((case.rows - case.p_true) ** 2).sum(axis=1)


def differ(first, second):
    """Whether two scores are different numbers, and not by a rounding."""
    return not np.isclose(first, second, rtol=1e-6, atol=1e-6, equal_nan=True)


def test_every_class_of_a_family_is_in_the_table():
    in_table = {type(metric) for metric in METRICS.values()}
    for file in FILES:
        module = import_module(f"workbench.metrics.{file}")
        kinds = {
            kind
            for name, kind in inspect.getmembers(module, inspect.isclass)
            if issubclass(kind, Metric) and kind.__module__ == module.__name__ and not name.startswith("_")
            if not inspect.isabstract(kind)
        }
        assert kinds, f"{file}.py declares no metric: move it to functions/ or _shared/"
        assert kinds <= in_table, "give it a key in metrics/__init__.py"


@metrics
def test_declares_itself_in_known_words(metric):
    assert METRICS[metric.name] is metric
    assert metric.direction in {"higher", "lower"}
    assert metric.needs <= {"prior", "truth", "sets", "theory"}
    assert metric.bounds[0] < metric.bounds[1]
    assert metric.unit
    assert metric.name in repr(metric)
    assert metric.has_per_sample == hasattr(metric, "per_sample")
    assert metric.has_expected == hasattr(metric, "expected")
    assert metric.has_expected or not metric.proper, "what is proper has an expected score"
    assert all(hasattr(metric, option) for option in inspect.signature(type(metric)).parameters)
    line = metric.explained(metric.name)
    assert line.startswith(f"{metric.name}: ")
    assert metric.direction in line
    assert "\n" not in line
    assert metric.meaning in line  # without one, the first line of its documentation


@of_answers
def test_of_a_good_forecast_is_better_than_of_a_bad_one(metric):
    y = np.arange(40) % 4
    truth = np.eye(4)[y]
    good, wrong, timid = 0.96 * truth + 0.01, 0.96 * np.roll(truth, 1, axis=1) + 0.01, 0.2 * truth + 0.2
    for prior in (EVEN, SKEWED):
        scores = [score(metric, Case(y, q, truth, q > 0.25, np.array(prior))) for q in (good, wrong, timid)]
        # a metric may be made for one of the two faults, and blind for the other
        assert any(better(metric, scores[0], of_bad) for of_bad in scores[1:])


class TestBounds:
    @of_answers
    @SOME
    @given(case=cases())
    def test_hold(self, metric, case):
        low, high = metric.bounds
        found = score(metric, case)
        # a metric of all samples together may be undefined, such as ranks of one class
        assert isinstance(found, float)
        assert low - 1e-12 <= found <= high + 1e-12 or (math.isnan(found) and not metric.has_per_sample)

    @with_per_sample
    @SOME
    @given(case=cases())
    def test_hold_for_every_sample(self, metric, case):
        scores = per_sample(metric, case)
        assert not np.isnan(scores).any()
        assert (scores >= metric.bounds[0] - 1e-12).all()
        assert (scores <= metric.bounds[1] + 1e-12).all()

    @of_answers
    def test_that_are_finite_are_reached_or_approached_with_many_classes(self, metric):
        reached = []
        for n, k in ((1, 1), (1, 2), (40, 2), (40, 4), (40, 20)):
            y, even = np.arange(n) % k, np.full(k, 1 / k)
            truth = np.eye(k)[y]
            # right, the next class instead, and all classes but the right one
            rows = [truth, np.roll(truth, 1, axis=1), (1 - truth) / (k - 1)] if k > 1 else [truth]
            if k > 1 or "prior" not in metric.needs:
                reached += [score(metric, Case(y, q, truth, q > 1.01 / k, even)) for q in rows]
                reached.append(score(metric, Case(y, truth, truth, truth > 0, even)))
        timid = np.append(np.full(1999, 1 / 2001), 2 / 2001)[np.newaxis]  # right, and hardly more probable
        near = score(metric, Case(np.array([1999]), timid, timid, timid > 0, np.full(2000, 1 / 2000)))
        for end in metric.bounds:
            assert np.isinf(end) or pytest.approx(end, abs=1e-12) in reached or abs(near - end) < 2e-3


class TestOrderOfSamples:
    @those(lambda metric: not metric.order_matters and metric.needs != {"theory"})
    @SOME
    @given(case=cases(least=2), rng=generators)
    def test_does_not_matter(self, metric, case, rng):
        order = rng.permutation(len(case.codes))
        whole, moved = score(metric, case), score(metric, case.samples(order))
        np.testing.assert_allclose(moved, whole, rtol=1e-12, atol=1e-14)
        if metric.has_per_sample:
            of_moved = per_sample(metric, case.samples(order))
            np.testing.assert_array_equal(of_moved, per_sample(metric, case)[order])

    @those(lambda metric: metric.order_matters)
    def test_matters_where_a_metric_says_so(self, metric):
        def turned(case):
            return differ(score(metric, case), score(metric, case.samples(slice(None, None, -1))))

        assert turned(find(cases(least=2), turned, settings=SEARCH))


class TestProperty:
    """Whether the truth's own probabilities, and no others, have the best expected score."""

    @those(lambda metric: metric.proper)
    @SOME
    @given(drawn=cells(), step=st.sampled_from([0.01, 0.3, 1.0]))
    def test_of_the_proper_holds_for_every_truth_and_prior(self, metric, drawn, step):
        p_x, case = drawn
        near = replace(case, rows=(1 - step) * case.p_true + step * case.rows)
        at_truth, other, distance = against_the_truth(metric, (p_x, near))
        assert np.isfinite(at_truth)
        assert other == pytest.approx(at_truth, rel=1e-9, abs=1e-12) or better(metric, at_truth, other)
        if distance > 1e-6:
            assert better(metric, at_truth, other)

    @those(lambda metric: metric.has_expected and not metric.proper)
    def test_of_others_fails_somewhere(self, metric):
        """For one prior it may hold, such as the even one, but not for all."""

        def fails(drawn):
            at_truth, other, distance = against_the_truth(metric, drawn)
            is_beaten = not metric.weakly_proper  # another forecast is better, not only as good
            return distance > 0.01 and (
                better(metric, other, at_truth) if is_beaten else not better(metric, at_truth, other)
            )

        assert fails(find(cells(), fails, settings=SEARCH))

    @those(lambda metric: metric.weakly_proper)
    @SOME
    @given(drawn=cells())
    def test_of_the_weakly_proper_no_forecast_is_better(self, metric, drawn):
        at_truth, other, _ = against_the_truth(metric, drawn)
        assert not metric.proper
        assert other == pytest.approx(at_truth, rel=1e-9, abs=1e-12) or better(metric, at_truth, other)


class TestPerSample:
    @with_per_sample
    @SOME
    @given(case=cases())
    def test_is_what_the_score_is_the_mean_of(self, metric, case):
        scores = per_sample(metric, case)
        assert scores.shape == case.codes.shape
        assert score(metric, case) == scores.mean()

    @with_per_sample
    @SOME
    @given(case=cases())
    def test_does_not_depend_on_the_other_samples(self, metric, case):
        alone = [score(metric, case.samples([i])) for i in range(len(case.codes))]
        np.testing.assert_array_equal(per_sample(metric, case), alone)

    @those(lambda metric: not metric.has_per_sample and metric.needs != {"theory"})
    def test_is_missing_where_the_score_is_no_such_mean(self, metric):
        def is_no_mean(case):
            alone = [score(metric, case.samples([i])) for i in range(len(case.codes))]
            return differ(score(metric, case), np.mean(alone))

        assert is_no_mean(find(cases(least=2), is_no_mean, settings=SEARCH))

    @those(lambda metric: isinstance(metric, CodeLength))
    @SOME
    @given(case=cases())
    def test_of_sets_are_code_lengths_that_add_up(self, metric, case):
        lengths = metric.code_lengths(case.codes, case.sets)
        assert lengths.shape == case.codes.shape
        assert score(metric, case) == lengths.sum()

    @scoring_rules
    @SOME
    @given(case=cases())
    def test_is_an_entry_of_the_scores_by_class(self, metric, case):
        scores = metric.by_class(case.rows, prior=case.prior)
        assert scores.shape == case.rows.shape
        for t in range(scores.shape[1]):
            outcomes = replace(case, codes=np.full(len(case.codes), t))
            np.testing.assert_array_equal(per_sample(metric, outcomes), scores[:, t])


class TestExpected:
    @those(lambda metric: metric.has_expected and "truth" not in metric.needs)
    @SOME
    @given(case=cases(), rng=generators)
    def test_is_the_score_of_outcomes_in_their_proportions(self, metric, case, rng):
        counts = rng.integers(5, size=case.rows.shape)
        assume(counts.any())
        cell, codes = (np.repeat(each, counts.ravel()) for each in np.indices(counts.shape).reshape(2, -1))
        exact = metric.expected(counts / counts.sum(), case.rows, prior=case.prior)
        sampled = metric(codes, case.rows[cell], prior=case.prior)
        np.testing.assert_allclose(exact, sampled, rtol=1e-9, atol=1e-12)

    @those(lambda metric: metric.has_expected and "truth" in metric.needs)
    @SOME
    @given(drawn=cells())
    def test_weighs_the_rows(self, metric, drawn):
        p_x, case = drawn
        exact = expected(metric, p_x, case)
        np.testing.assert_allclose(exact, p_x @ per_sample(metric, case), rtol=1e-12, atol=1e-14)


class TestPrior:
    @those(lambda metric: "prior" in metric.needs)
    def test_is_asked_for_and_matters_where_it_is_needed(self, metric):
        with pytest.raises(ValueError, match=rf"{metric.name} .*prior"):
            metric([0, 1, 0], [[0.5, 0.5], [0.25, 0.75], [0.75, 0.25]])

        def matters(case):
            even = replace(case, prior=np.full(case.prior.size, 1 / case.prior.size))
            return differ(score(metric, case), score(metric, even))

        assert matters(find(cases(), matters, settings=SEARCH))

    @those(lambda metric: not metric.needs & {"prior", "truth", "sets", "theory"})
    @SOME
    @given(case=cases(), prior=st.one_of(st.none(), st.lists(st.floats(), max_size=3)))
    def test_is_left_unread_where_it_is_not_needed(self, metric, case, prior):
        np.testing.assert_equal(metric(case.codes, case.rows, prior=prior), score(metric, case))

    @those(lambda metric: metric.needs & {"truth", "sets", "theory"})
    def test_cannot_be_given_to_metrics_of_truths_sets_and_theories(self, metric):
        assert "prior" not in inspect.signature(metric).parameters

    @those(lambda metric: "prior" in metric.needs)
    @given(
        counts=st.lists(st.integers(0, 10**6), min_size=2, max_size=30), alpha=st.sampled_from([0.5, 1e-9])
    )
    def test_itself_as_a_forecast_scores_zero(self, metric, counts, alpha):
        prior = prior_of_counts(counts, alpha=alpha)
        forecast, codes = np.tile(prior, (7, 1)), np.arange(7) % len(prior)
        assert metric(codes, forecast, prior=prior) == 0.0
        if metric.has_expected:
            joint = np.outer([0.25, 0.75], prior_of_counts(counts[::-1]))
            assert metric.expected(joint, forecast[:2], prior=prior) == 0.0
        if hasattr(metric, "by_class"):
            assert (metric.by_class(forecast, prior=prior) == 0.0).all()


class TestClasses:
    @of_answers
    @SOME
    @given(case=cases(), rng=generators)
    def test_may_stand_in_any_order(self, metric, case, rng):
        # the first of several modes is the prediction; and an order moves a sum, and so a mode, by a rounding
        greatest = np.sort(case.rows, axis=1)
        assume((greatest[:, -1] > greatest[:, -2] + 1e-9).all())
        order = rng.permutation(case.prior.size)
        moved = score(metric, case.columns(order))
        reason = "the score depends on the order of the classes, which are only names"
        np.testing.assert_allclose(moved, score(metric, case), rtol=1e-9, atol=1e-12, err_msg=reason)

    @with_classes
    @SOME
    @given(case=cases(), rng=generators)
    def test_are_codes_or_labels_in_the_order_of_the_columns(self, metric, case, rng):
        labels = rng.permutation(["a", "b", "c", "d", "e"])[: case.prior.size]
        named = replace(case, codes=labels[case.codes])
        np.testing.assert_equal(score(metric, named, classes=labels), score(metric, case))


@of_forecasts
def test_says_which_row_is_no_distribution(metric):
    rows = np.array([[0.5, 0.5], [0.25, 0.85], [0.75, 0.25]])
    with pytest.raises(ValueError, match=r"row 1 .*1\.1"):
        metric([0, 1, 0], rows, prior=[0.5, 0.5])


@of_answers
@SOME
@given(case=cases())
def test_travels_to_other_processes(metric, case):
    for copied in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        assert repr(copied) == repr(metric)
        np.testing.assert_equal(score(copied, case), score(metric, case))


class Telling:
    """Stands for a fitted learner whose theory has so many bits."""

    def __init__(self, bits):
        self.bits = bits

    def theory_complexity(self):
        return SimpleNamespace(total=self.bits)


def of_theory(metric, learner):
    """Score a fitted learner; where a metric looks at its sets too, of two rows that it gets right."""
    sure = ([0, 1], np.eye(2, dtype=bool)) if "sets" in metric.needs else ()
    return metric(learner, *sure)


class TestTheory:
    """Of metrics that look at the fitted learner."""

    @of_theories
    def test_looks_at_sets_at_most(self, metric):
        assert metric.needs in ({"theory"}, {"theory", "sets"})
        assert not any((metric.has_per_sample, metric.has_expected, metric.proper))
        assert metric.order_matters == ("sets" in metric.needs)

    @of_theories
    def test_prefers_the_simpler_and_begins_at_no_bits(self, metric):
        none, short, long = (of_theory(metric, Telling(bits)) for bits in (0, 1.5, 1000.0))
        assert none == metric.bounds[0] or "sets" in metric.needs
        assert (short - none, long - none) == pytest.approx((1.5, 1000.0))
        assert better(metric, none, short)
        assert better(metric, short, long)
        assert long <= metric.bounds[1]

    @of_theories
    def test_of_a_learner_without_one_is_refused_in_a_sentence(self, metric):
        with pytest.raises(ValueError, match=r"dict .*theory_complexity"):
            of_theory(metric, {})

    @of_theories
    def test_travels_to_other_processes(self, metric):
        for copied in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
            assert repr(copied) == repr(metric)
            assert of_theory(copied, Telling(2.5)) == of_theory(metric, Telling(2.5))
