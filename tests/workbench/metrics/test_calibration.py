"""Miscalibration, calibration errors, sharpness and reliability tables: by hand, and against slow twins."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.metrics.drawn import binary, samples
from workbench.metrics import (
    CalibrationError,
    Miscalibration,
    confidence_calibration_error,
    confidence_gap,
    expected_calibration_error,
    forecast_entropy,
    miscalibration,
    reliability_table,
)
from workbench.metrics._shared.bets import (
    Bets,
    bets_on_predicted,
    closing_ranks,
    counted_forecasts,
    quantile_cells,
    smallest_cells,
    uniform_cells,
)

TIES = ("averaged", "random", "together", "outcome", "given")

# Few different numbers, so that ties are common; also the ends, and floats that only look like tenths.
PROBABILITIES = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.1 + 0.2, 0.5, 0.7, 0.9, 1.0])


@st.composite
def bets(draw, most=40):
    pairs = draw(st.lists(st.tuples(PROBABILITIES, st.booleans()), min_size=1, max_size=most))
    p, happened = zip(*pairs, strict=True)
    return Bets(np.array(p), np.array(happened))


def calibrated(n, k, seed=0, concentration=1.0):
    """Forecasts that are right, and outcomes drawn from them."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(k, concentration), size=n)
    return (rng.random((n, 1)) > rows.cumsum(axis=1)[:, :-1]).sum(axis=1), rows


def slow_cells(p, cell):
    """Cut a list into cells of at least so many, as few as possible above, left-overs in the last."""
    starts = [i * cell for i in range(max(len(p) // cell, 1))]
    return [slice(a, b) for a, b in itertools.pairwise([*starts, len(p)])]


def slow_square(p, happened, cell):
    """Equation (3) of 2001 squared, for bets in the order given."""
    total = 0.0
    for place in slow_cells(p, cell):
        frequency = sum(happened[place]) / len(happened[place])
        total += sum((frequency - x) ** 2 for x in p[place]) / (len(p[place]) - 1)
    return total


class TestBets:
    def test_on_the_predicted_class_are_on_the_first_of_equals(self):
        found = bets_on_predicted(np.array([0, 1, 2]), np.array([[0.4, 0.4, 0.2]] * 3))
        assert found.probability.tolist() == [0.4] * 3
        assert found.happened.tolist() == [True, False, False]

    @given(bets())
    def test_counted_are_those_of_numpy(self, some):
        counted = counted_forecasts(some)
        values, place, n = np.unique(some.probability, return_inverse=True, return_counts=True)
        np.testing.assert_array_equal(counted.values, values)
        np.testing.assert_array_equal(counted.n, n)
        np.testing.assert_array_equal(counted.hits, np.bincount(place, some.happened))


class TestCells:
    def test_of_equal_width_hold_their_upper_edge(self):
        some = Bets(np.array([0.0, 0.5, 0.500001, 1.0, 0.25]), np.array([True, True, False, True, False]))
        cells = uniform_cells(some, 4)
        assert cells.n.tolist() == [2, 1, 1, 1]
        assert cells.hits.tolist() == [1, 1, 0, 1]
        assert cells.mass.tolist() == [0.25, 0.5, 0.500001, 1.0]

    @given(bets(), st.integers(1, 12))
    def test_of_equal_number_are_never_empty_and_cut_no_tie(self, some, n_bins):
        cells = quantile_cells(some, n_bins)
        assert cells.n.sum() == some.happened.size
        assert (cells.n > 0).all()
        assert len(cells.n) == len(cells.edges) - 1 <= n_bins
        place = np.searchsorted(cells.edges[1:-1], some.probability)
        np.testing.assert_array_equal(cells.n, np.bincount(place, minlength=len(cells.n)))
        assert cells.edges[0] == some.probability.min()
        assert cells.edges[-1] == some.probability.max()

    def test_of_equal_number_are_equal_without_ties(self):
        p = np.random.default_rng(0).permutation(103) / 103
        assert set(quantile_cells(Bets(p, p > 0.5), 10).n.tolist()) == {10, 11}

    @given(st.lists(st.integers(1, 8), min_size=1, max_size=30), st.integers(1, 12))
    def test_close_as_soon_as_they_hold_enough(self, n, least):
        ends, held = [], 0
        for rank, count in zip(np.cumsum(n).tolist(), n, strict=True):
            held += count
            if held >= least:
                ends.append(rank)
                held = 0
        ends = [*ends[:-1], sum(n)]
        assert closing_ranks(np.array(n), least).tolist() == ends

    @given(bets(), st.integers(2, 12))
    def test_that_are_smallest_keep_ties_together(self, some, least):
        cells = smallest_cells(counted_forecasts(some), least)
        assert cells.n.min() >= min(least, some.happened.size)
        assert (np.diff(cells.edges[1:]) > 0.0).all()
        place = np.searchsorted(cells.edges[1:-1], some.probability)
        np.testing.assert_array_equal(cells.n, np.bincount(place, minlength=len(cells.n)))
        np.testing.assert_array_equal(cells.hits, np.bincount(place, some.happened, minlength=len(cells.n)))


class TestMiscalibration:
    """Equation (3) of Korb, Hope and Hughes 2001."""

    @pytest.mark.parametrize(("n", "cell"), [(9, 2), (11, 10), (57, 3)])
    @pytest.mark.parametrize("ties", TIES)
    def test_without_ties_is_the_printed_formula(self, n, cell, ties):
        y, rows = calibrated(n, 4, seed=n)
        p = rows.max(axis=1)
        order = np.argsort(p)
        square = slow_square(p[order].tolist(), (rows.argmax(axis=1) == y)[order].tolist(), cell)
        assert Miscalibration(cell=cell, ties=ties)(y, rows) == pytest.approx(math.sqrt(square), rel=1e-12)

    def test_of_a_decision_stump_depends_on_ties_as_the_printed_value_shows(self):
        # CH/DStump: 1066 cases, accuracy 0.676, printed 4.925. If all had one probability, randomly ordered
        # ties would give 1.5 to 1.6 and pure cells sqrt(106 * 0.219 * 10 / 9) = 5.1: the print is near these.
        hits = round(0.676 * 1066)
        y = np.random.default_rng(0).permutation(np.repeat([0, 1], [hits, 1066 - hits]))
        rows = np.tile([0.676, 0.324], (1066, 1))
        assert 1.5 < miscalibration(y, rows) < 1.6
        pure = Miscalibration(ties="outcome")(y, rows)
        assert pure == pytest.approx(math.sqrt(106 * 0.219 * 10 / 9), rel=0.01)
        assert Miscalibration(ties="given")(np.sort(y)[::-1], rows) == pytest.approx(pure, rel=1e-12)
        assert abs(pure - 4.925) < 0.2
        drawn = [Miscalibration(ties="random", random_state=s)(y, rows) for s in range(20)]
        assert 1.5 < np.mean(drawn) < 1.7
        assert np.std(drawn) > 0.05  # why one random order is not the default
        assert Miscalibration(ties="together")(y, rows) < 0.001

    @given(bets(most=7), st.integers(2, 4))
    def test_averaged_is_the_mean_square_over_all_orders_of_ties(self, some, cell):
        n = some.happened.size
        if n < 2:
            return
        p = 0.5 + some.probability / 2  # of the predicted class
        squares = []
        for order in itertools.permutations(range(n)):
            if all(p[a] <= p[b] for a, b in itertools.pairwise(order)):
                squares.append(slow_square(p[list(order)].tolist(), some.happened[list(order)], cell))
        y = np.where(some.happened, 1, 0)
        rows = binary(p)
        first = p == 0.5  # of two equal classes the first is the predicted one
        y = np.where(first, 1 - y, y)
        found = Miscalibration(cell=cell)(y, rows) ** 2
        assert found == pytest.approx(np.mean(squares), rel=1e-9, abs=1e-14)

    @pytest.mark.parametrize("ties", TIES[:-1])
    @given(samples(), st.randoms(use_true_random=False))
    def test_order_does_not_matter_unless_ties_are_given(self, ties, sample, random):
        y, rows = sample
        order = list(range(len(y)))
        random.shuffle(order)
        metric = Miscalibration(cell=3, ties=ties)
        assert not metric.order_matters
        np.testing.assert_equal(metric(y[order], rows[order]), metric(y, rows))

    def test_order_matters_where_ties_are_given(self):
        metric = Miscalibration(cell=2, ties="given")
        assert metric.order_matters
        rows = [[0.3, 0.7]] * 4
        assert metric([0, 0, 1, 1], rows) > metric([0, 1, 0, 1], rows)

    @pytest.mark.parametrize("ties", TIES)
    @given(samples())
    def test_squares_of_both_sides_add_up(self, ties, sample):
        y, rows = sample
        both, over, under = (
            Miscalibration(cell=4, ties=ties, side=side)(y, rows) for side in ("both", "over", "under")
        )
        if len(y) > 1:
            assert over**2 + under**2 == pytest.approx(both**2, rel=1e-12, abs=1e-15)
        else:
            assert np.isnan([both, over, under]).all()

    @pytest.mark.slow
    def test_of_a_calibrated_forecast_is_what_chance_makes(self):
        scores, expected = [], []
        for seed in range(20):
            y, rows = calibrated(1000, 3, seed)
            p = rows.max(axis=1)
            scores.append(miscalibration(y, rows))
            expected.append(math.sqrt((p * (1 - p)).sum() / 90))
        assert np.mean(scores) == pytest.approx(np.mean(expected), rel=0.03)

    def test_of_one_sample_is_not_a_number(self):
        assert math.isnan(miscalibration([0], [[0.5, 0.5]]))


class TestCalibrationErrors:
    def test_of_the_predicted_class_by_hand(self):
        # bins of fifths: (.6, .8] has 3 samples, mean .7, 2 hits; (.8, 1] has 1 of .9, a miss
        y, p = [1, 1, 0, 0], [0.65, 0.7, 0.75, 0.9]
        metric = CalibrationError(of="predicted", n_bins=5)
        assert metric(y, binary(p)) == pytest.approx(0.75 * abs(2 / 3 - 0.7) + 0.25 * 0.9)

    def test_of_each_class_averages_over_all_classes(self):
        # class 2 is never given anything and never happens: its error is 0
        rows = np.column_stack((binary([0.8, 0.8]), [0.0, 0.0]))
        assert expected_calibration_error([1, 0], rows) == pytest.approx((0.3 + 0.3 + 0.0) / 3)

    @pytest.mark.parametrize("strategy", ["uniform", "quantile"])
    @pytest.mark.parametrize("metric", [expected_calibration_error, confidence_calibration_error])
    def test_of_the_frequencies_as_a_forecast_are_zero(self, metric, strategy):
        y = np.repeat([0, 1, 2], [5, 3, 2])
        of = "predicted" if metric is confidence_calibration_error else "each class"
        assert CalibrationError(of=of, strategy=strategy)(y, [[0.5, 0.3, 0.2]] * 10) < 1e-15

    @pytest.mark.slow
    @pytest.mark.parametrize("n_bins", [15])
    def test_of_a_calibrated_forecast_is_the_bias_that_is_stated(self, n_bins):
        found, stated = [], []
        for seed in range(120):
            y, rows = calibrated(1000, 3, seed)
            table = reliability_table(y, rows, n_bins=n_bins)
            some = table.n > 0
            f, n = table.frequency[some], table.n[some]
            stated.append(math.sqrt(2 / math.pi) * np.sqrt(n * f * (1 - f)).sum() / 1000)
            found.append(CalibrationError(of="predicted", n_bins=n_bins)(y, rows))
        assert np.mean(found) == pytest.approx(np.mean(stated), rel=0.1)

    @given(samples())
    def test_come_from_the_cells_of_the_reliability_table(self, sample):
        y, rows = sample
        table = reliability_table(y, rows, n_bins=15)
        some = table.n > 0
        gaps = np.abs(table.frequency - table.mean_forecast)[some]
        error = table.n[some] @ gaps / len(y)
        assert confidence_calibration_error(y, rows) == pytest.approx(error, abs=1e-14)

    def test_have_the_name_that_is_given_or_their_own(self):
        assert CalibrationError(name="mine").name == "mine"
        assert CalibrationError(of="predicted").name == "confidence_calibration_error"


class TestConfidenceGap:
    def test_by_hand(self):
        rows = [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]]
        # right, wrong, right: -.4, .7 and -.2
        np.testing.assert_allclose(confidence_gap.per_sample([0, 2, 2], rows), [-0.4, 0.7, -0.2])
        assert confidence_gap([0, 2, 2], rows) == pytest.approx(0.1 / 3)

    def test_tied_classes_share_the_hit(self):
        rows = [[0.4, 0.4, 0.2]]
        np.testing.assert_allclose(confidence_gap.by_class(rows), [[0.4 - 0.5, 0.4 - 0.5, 0.4]])
        # whichever happens, a uniform forecast is neither over- nor underconfident
        assert (confidence_gap.by_class([[0.25] * 4]) == 0).all()

    def test_of_the_truth_is_zero_and_has_the_sign_of_sharpening(self):
        rng = np.random.default_rng(1)
        truth, weight = rng.dirichlet([1.0, 1.0, 1.0], 30), rng.dirichlet(np.ones(30))
        flat, exact, sharp = (
            confidence_gap.expected(
                weight[:, np.newaxis] * truth, truth**power / (truth**power).sum(axis=1, keepdims=True)
            )
            for power in (0.5, 1.0, 2.0)
        )
        assert exact == pytest.approx(0, abs=1e-12)
        assert flat < -0.05
        assert sharp > 0.05

    @given(samples())
    def test_is_mean_confidence_less_accuracy(self, drawn):
        y, rows = drawn
        ordered = np.sort(rows, axis=1)
        single = ordered[:, -1] > ordered[:, -2]
        found = confidence_gap.per_sample(y, rows)[single]
        np.testing.assert_allclose(found, (rows.max(axis=1) - (rows.argmax(axis=1) == y))[single])


class TestForecastEntropy:
    def test_by_hand(self):
        rows = [[0.5, 0.25, 0.25], [1.0, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3]]
        np.testing.assert_allclose(forecast_entropy.per_sample([0, 1, 2], rows), [1.5, 0.0, math.log2(3)])
        assert forecast_entropy([0, 1, 2], rows) == pytest.approx((1.5 + math.log2(3)) / 3)


class TestReliabilityTable:
    @pytest.mark.parametrize(
        ("strategy", "of"), [("uniform", "all classes"), ("quantile", 1), ("cells", "predicted")]
    )
    def test_holds_every_bet_once(self, strategy, of):
        y, rows = calibrated(500, 3)
        table = reliability_table(y, rows, strategy=strategy, of=of)
        n_bets = 1500 if of == "all classes" else 500
        hits = {"predicted": (rows.argmax(axis=1) == y).sum(), "all classes": 500, 1: (y == 1).sum()}[of]
        some = table.n > 0
        assert table.n.sum() == n_bets
        assert (table.frequency[some] * table.n[some]).sum() == pytest.approx(hits)
        assert (table.edges[:-1][some] <= table.mean_forecast[some]).all()
        assert (table.mean_forecast[some] <= table.edges[1:][some]).all()
        assert (table.low[some] <= table.frequency[some] + 1e-15).all()
        assert (table.frequency[some] <= table.high[some] + 1e-15).all()

    def test_of_an_empty_bin_knows_nothing(self):
        table = reliability_table([1, 1], binary([0.9, 0.8]), n_bins=2, of=1)
        assert table.n.tolist() == [0, 2]
        assert np.isnan([table.mean_forecast[0], table.frequency[0]]).all()
        assert (table.low[0], table.high[0]) == (0.0, 1.0)

    def test_takes_a_class_by_its_label(self):
        y, rows = ["no", "yes", "yes"], binary([0.2, 0.9, 0.6])
        by_label = reliability_table(y, rows, classes=["no", "yes"], of="yes")
        by_code = reliability_table([0, 1, 1], rows, of=1)
        assert by_label.table().equals(by_code.table())
        with pytest.raises(ValueError, match="label 'maybe' is not among the classes"):
            reliability_table(y, rows, classes=["no", "yes"], of="maybe")

    @given(st.integers(1, 200), st.data())
    def test_has_the_intervals_of_wilson(self, n, data):
        """At either end the frequency is 1.96 standard deviations of that end away."""
        hits = data.draw(st.integers(0, n))
        y = np.repeat([1, 0], [hits, n - hits])
        table = reliability_table(y, np.tile([0.5, 0.5], (n, 1)), n_bins=1, of=1)
        assert (table.low[0] == 0.0) == (hits == 0)
        assert (table.high[0] == 1.0) == (hits == n)
        for end in (table.low[0], table.high[0]):
            if end not in (0.0, 1.0):
                away = abs(hits / n - end) / math.sqrt(end * (1 - end) / n)
                assert away == pytest.approx(1.959964, abs=1e-4)

    def test_has_cells_that_are_those_of_miscalibration(self):
        y, rows = calibrated(205, 3)
        table = reliability_table(y, rows, strategy="cells")
        assert table.n.tolist() == [10] * 19 + [15]

    @pytest.mark.slow
    def test_intervals_hold_the_truth_about_as_often_as_they_say(self):
        held = []
        for seed in range(60):
            y, rows = calibrated(1000, 2, seed)
            table = reliability_table(y, rows, of=1, level=0.9)
            held.append((table.low <= table.mean_forecast) & (table.mean_forecast <= table.high))
        assert 0.86 < np.mean(held) < 0.96
