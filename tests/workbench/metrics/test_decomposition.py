"""The parts of a reward: exactly for a truth, and from data, which approach them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.metrics import decomposition, exact_decomposition, ir_b, log_loss
from workbench.metrics.functions.forecast_worth import calibrated_chances, ranked_forecast

RULES = ("ir_b", "log_loss")
rules = pytest.mark.parametrize("rule", RULES)


def kl(p, q):
    """Divergence in bits, 0 log 0 = 0."""
    return sum(a * math.log2(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def kl2(p, q):
    return kl((p, 1 - p), (q, 1 - q))


def slow_parts(joint, y_prob, prior, rule):
    """Section 7 of the 2004 reward's decomposition as it is written: group, then divergences."""
    k = joint.shape[1]
    p_class = joint.sum(axis=0)
    if rule == "ir_b":
        bets = [(joint[:, i], y_prob[:, i], p_class[i], prior[i]) for i in range(k)]
        parts = np.zeros(3)
        for hit, q, marginal, reference in bets:
            for value in set(q.tolist()):
                here = q == value
                mass = joint[here].sum()
                chance = hit[here].sum() / mass
                parts += mass * np.array([kl2(chance, marginal), 0, kl2(chance, value)]) / k
            parts[1] += kl2(marginal, reference) / k
        return parts
    knowledge = miscalibration = 0.0
    for row in set(map(tuple, y_prob.tolist())):
        here = (y_prob == row).all(axis=1)
        mass = joint[here].sum()
        chances = joint[here].sum(axis=0) / mass
        knowledge += mass * kl(chances, p_class)
        miscalibration += mass * kl(chances, row)
    return np.array([knowledge, kl(p_class, prior), miscalibration])


def reward(y, y_prob, prior, rule):
    if rule == "ir_b":
        return ir_b(y, y_prob, prior=prior)
    return log_loss(y, np.tile(prior, (len(y), 1))) - log_loss(y, y_prob)


def world(n_cells, k, seed=0, concentration=1.0):
    """Probabilities of cells and the truth's posterior there."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(n_cells)), rng.dirichlet(np.full(k, concentration), size=n_cells)


def drawn(p_x, p_true, n, seed=0):
    """Cells and classes drawn from that world."""
    rng = np.random.default_rng(seed)
    cells = rng.choice(len(p_x), size=n, p=p_x)
    return cells, (rng.random((n, 1)) > p_true[cells].cumsum(axis=1)[:, :-1]).sum(axis=1)


def squeezed(rows, part=0.5):
    return part * rows + (1 - part) / rows.shape[1]


@st.composite
def worlds(draw):
    """Cells with forecasts of few different numbers, so that some are equal."""
    k, n = draw(st.integers(2, 4)), draw(st.integers(1, 8))
    weights = draw(st.lists(st.integers(0, 3), min_size=n * k, max_size=n * k).filter(any))
    counts = draw(st.lists(st.integers(1, 3), min_size=n * k, max_size=n * k))
    joint, rows = np.reshape(weights, (n, k)) / sum(weights), np.reshape(counts, (n, k))
    prior = np.array(draw(st.lists(st.integers(1, 9), min_size=k, max_size=k)), dtype=float)
    return joint, rows / rows.sum(axis=1, keepdims=True), prior / prior.sum()


class TestExact:
    @rules
    @given(worlds())
    def test_parts_are_the_divergences_of_the_definition(self, rule, sample):
        joint, y_prob, prior = sample
        parts = exact_decomposition(joint, y_prob, prior=prior, rule=rule)
        found = [parts.knowledge, parts.prior_gain, parts.miscalibration]
        possible = joint.any(axis=1)
        slow = slow_parts(joint[possible], y_prob[possible], prior, rule)
        np.testing.assert_allclose(found, slow, atol=1e-12)

    @rules
    @given(worlds())
    def test_parts_add_up_to_the_expected_reward(self, rule, sample):
        joint, y_prob, prior = sample
        parts = exact_decomposition(joint, y_prob, prior=prior, rule=rule)
        summed = parts.knowledge + parts.prior_gain - parts.miscalibration
        assert summed == pytest.approx(parts.total, abs=1e-12)
        if rule == "ir_b":
            expected = ir_b.expected(joint, y_prob, prior=prior)
        else:
            expected = log_loss.expected(joint, np.tile(prior, (len(joint), 1)))
            expected -= log_loss.expected(joint, y_prob)
        assert parts.total == pytest.approx(expected, abs=1e-12)

    @rules
    def test_truth_is_calibrated_and_knows_the_information_in_its_cells(self, rule):
        p_x, p_true = world(20, 3)
        parts = exact_decomposition(p_x[:, None] * p_true, p_true, prior=[0.2, 0.3, 0.5], rule=rule)
        assert parts.miscalibration == pytest.approx(0.0, abs=1e-14)
        marginal = p_x @ p_true
        if rule == "log_loss":
            information = sum(w * kl(row, marginal) for w, row in zip(p_x, p_true, strict=True))
            assert parts.knowledge == pytest.approx(information, rel=1e-12)
        else:
            assert parts.knowledge > 0.05

    @rules
    def test_squeezing_raises_miscalibration_and_leaves_knowledge(self, rule):
        p_x, p_true = world(20, 3)
        joint, prior = p_x[:, None] * p_true, [0.2, 0.3, 0.5]
        before = exact_decomposition(joint, p_true, prior=prior, rule=rule)
        after = exact_decomposition(joint, squeezed(p_true), prior=prior, rule=rule)
        assert after.knowledge == pytest.approx(before.knowledge, rel=1e-12)
        assert after.miscalibration > before.miscalibration + 0.05

    def test_forecasts_that_differ_by_rounding_are_the_same(self):
        joint, prior = np.full((2, 2), 0.25), [0.5, 0.5]
        joint[0], joint[1] = [0.4, 0.1], [0.1, 0.4]
        rows = np.array([[0.1 + 0.2, 0.7], [0.3, 0.7]])
        assert exact_decomposition(joint, rows, prior=prior).knowledge == pytest.approx(0.0, abs=1e-15)
        rows[0] = [0.3 + 1e-9, 0.7 - 1e-9]
        assert exact_decomposition(joint, rows, prior=prior).knowledge > 0.2

    @rules
    def test_infinitely_wrong_cell_makes_miscalibration_infinite(self, rule):
        joint, rows = [[0.25, 0.25], [0.0, 0.5]], [[1.0, 0.0], [0.0, 1.0]]
        parts = exact_decomposition(joint, rows, prior=[0.5, 0.5], rule=rule)
        assert (parts.miscalibration, parts.total, parts.n_infinite) == (math.inf, -math.inf, 1)
        assert math.isfinite(parts.knowledge)
        possible = exact_decomposition([[0.5, 0.0], [0.0, 0.5]], rows, prior=[0.5, 0.5], rule=rule)
        assert (possible.miscalibration, possible.n_infinite) == (0.0, 0)

    def test_refuses_an_unknown_rule_and_a_prior_with_a_zero(self):
        with pytest.raises(ValueError, match="rule is 'brier'"):
            exact_decomposition([[0.5, 0.5]], [[0.5, 0.5]], prior=[0.5, 0.5], rule="brier")
        with pytest.raises(ValueError, match="positive"):
            exact_decomposition([[0.5, 0.5]], [[0.5, 0.5]], prior=[1.5, -0.5])


class TestOfData:
    @rules
    @given(worlds(), st.integers(0, 5))
    def test_parts_add_up_to_the_mean_reward(self, rule, sample, seed):
        _, y_prob, prior = sample
        y = np.random.default_rng(seed).integers(0, y_prob.shape[1], 3 * len(y_prob))
        rows = np.tile(y_prob, (3, 1))
        parts = decomposition(y, rows, prior=prior, rule=rule, n_folds=3, n_bootstrap=0, random_state=seed)
        summed = parts.knowledge + parts.prior_gain - parts.miscalibration
        assert summed == pytest.approx(parts.total, abs=1e-12)
        assert parts.total == pytest.approx(reward(y, rows, prior, rule), abs=1e-12)
        assert parts.n_infinite == 0
        assert parts.intervals is None

    @pytest.mark.parametrize("rule", ["ir_b", pytest.param("log_loss", id="log_loss_of_two_classes")])
    def test_parts_approach_the_exact_ones(self, rule):
        k = 3 if rule == "ir_b" else 2
        p_x, p_true = world(30, k, seed=1)
        prior, forecast = np.full(k, 1 / k), squeezed(p_true)
        exact = exact_decomposition(p_x[:, None] * p_true, forecast, prior=prior, rule=rule)
        for n in (300, 3_000, 30_000, 300_000):
            cells, y = drawn(p_x, p_true, n, seed=n)
            parts = decomposition(y, forecast[cells], prior=prior, rule=rule, random_state=1, n_bootstrap=0)
            for part in ("knowledge", "prior_gain", "miscalibration", "total"):
                # a reward of one sample has a standard deviation of about 1 bit
                assert abs(getattr(parts, part) - getattr(exact, part)) < 2.5 / math.sqrt(n)

    @pytest.mark.slow
    @rules
    def test_calibrated_forecast_has_no_miscalibration_to_speak_of(self, rule):
        """The bias and the coverage that the docstring states, on fewer cases."""
        found, held = [], []
        for seed in range(60):
            rng = np.random.default_rng(seed)
            rows = 0.98 * rng.dirichlet(np.ones(3), size=500) + 0.02 / 3
            y = (rng.random((500, 1)) > rows.cumsum(axis=1)[:, :-1]).sum(axis=1)
            parts = decomposition(y, rows, prior=[1 / 3] * 3, rule=rule, random_state=seed)
            low, high = parts.intervals.miscalibration
            found.append(parts.miscalibration)
            held.append(low <= 0.0 <= high)
        error = np.std(found) / math.sqrt(60)
        assert abs(np.mean(found)) < 0.003 + 2 * error
        assert np.mean(held) > 0.75

    @rules
    def test_infinitely_wrong_sample_makes_miscalibration_infinite(self, rule):
        y, rows = np.array([0, 1] * 20), np.tile([[0.9, 0.1], [0.2, 0.8]], (20, 1))
        rows[5] = [1.0, 0.0]
        parts = decomposition(y, rows, prior=[0.5, 0.5], rule=rule, random_state=0)
        assert (parts.miscalibration, parts.total, parts.n_infinite) == (math.inf, -math.inf, 1)
        assert math.isfinite(parts.knowledge)
        assert parts.intervals.total[0] == -math.inf
        assert not parts.table().isna().to_numpy().any()

    @rules
    def test_classes_that_are_rare_or_absent_leave_all_finite(self, rule):
        y = np.r_[np.zeros(30, int), 1]
        rows = np.random.default_rng(0).dirichlet(np.ones(4), size=31)
        parts = decomposition(y, rows, prior=[0.25] * 4, rule=rule, random_state=0)
        assert np.isfinite(parts.table().to_numpy()).all()
        alone = decomposition(np.zeros(31, int), rows, prior=[0.25] * 4, rule=rule, random_state=0)
        assert alone.knowledge == 0.0
        assert np.isfinite(alone.table().to_numpy()).all()

    def test_intervals_of_the_total_are_as_wide_as_its_error(self):
        p_x, p_true = world(100, 3)
        cells, y = drawn(p_x, p_true, 1_000)
        parts = decomposition(y, p_true[cells], prior=[1 / 3] * 3, n_bootstrap=1000, random_state=0)
        error = ir_b.per_sample(y, p_true[cells], prior=[1 / 3] * 3).std() / math.sqrt(1_000)
        low, high = parts.intervals.total
        assert high - low == pytest.approx(2 * 1.96 * error, rel=0.1)
        assert low < parts.total < high

    def test_same_seed_gives_the_same_and_labels_what_codes_give(self):
        p_x, p_true = world(100, 2)
        cells, y = drawn(p_x, p_true, 200)
        rows, options = p_true[cells], {"prior": [0.5, 0.5], "random_state": 3}
        by_code = decomposition(y, rows, **options)
        assert by_code == decomposition(y, rows, **options)
        labels = np.array(["b", "a"])
        assert by_code == decomposition(labels[y], rows, classes=labels, **options)

    @pytest.mark.parametrize(
        "option", [{"rule": "brier"}, {"n_folds": 1}, {"n_folds": 5}, {"n_bootstrap": -1}, {"level": 0}]
    )
    def test_refuses_options_out_of_range(self, option):
        with pytest.raises(ValueError, match=next(iter(option))):
            decomposition([0, 1, 0], [[0.5, 0.5]] * 3, prior=[0.5, 0.5], **{"n_folds": 2, **option})


class TestCalibratedChances:
    @given(
        st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.integers(0, 2)), min_size=3, max_size=40),
        st.floats(0.1, 0.9),
    )
    def test_are_those_of_pooled_neighbours(self, bets, toward):
        q, hits, fold = map(np.array, zip(*bets, strict=True))
        if len(set(fold.tolist())) < 2 or 0 not in fold:
            return
        found = calibrated_chances(ranked_forecast(q / 10.0), hits, toward=toward, fold=fold)
        ranks = np.array([((q < v).sum() + (q <= v).sum() - 1) / 2 for v in q])
        for held_out in set(fold.tolist()):
            learn = fold != held_out
            blocks = []  # [bets, hits, sum of ranks]
            for v in sorted(set(q[learn].tolist())):
                here = learn & (q == v)
                blocks.append([here.sum(), hits[here].sum(), ranks[here].sum()])
                while len(blocks) > 1 and blocks[-2][1] * blocks[-1][0] >= blocks[-1][1] * blocks[-2][0]:
                    last = blocks.pop()
                    blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
            n, won, summed = np.array(blocks, dtype=float).T
            expected = np.interp(ranks[~learn], summed / n, (won + toward) / (n + 1))
            np.testing.assert_allclose(found[~learn], expected, rtol=1e-9)

    def test_do_not_change_under_an_increasing_map(self):
        rng = np.random.default_rng(0)
        q, fold = rng.random(200), rng.integers(0, 5, 200)
        hits = rng.random(200) < q
        plain, mapped = (
            calibrated_chances(ranked_forecast(p), hits, toward=0.5, fold=fold) for p in (q, q**3)
        )
        np.testing.assert_array_equal(plain, mapped)
        assert 0.0 < plain.min() < plain.max() < 1.0
