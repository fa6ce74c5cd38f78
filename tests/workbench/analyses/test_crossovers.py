"""Crossovers: where a difference changes its sign, and the design that looks for it with few fits."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench import load, read_study, run, write_study
from workbench.analyses import Crossovers, paired_scores
from workbench.base.errors import WorkbenchError
from workbench.comparisons import find_crossovers
from workbench.designs import CrossoverSearch, FreshSamples, StudyOutline
from workbench.engine.runner import missing_cells
from workbench.figures import FIGURES
from workbench.study.document import StudyDocument

SIZES = [50, 100, 200, 400, 800, 1600, 3200]
NOISE = np.linspace(-0.01, 0.01, 9)[:, None]


def rising(true, sizes=SIZES, slope=0.1):
    """Return noise-free differences that are linear in log size and zero at a size."""
    return slope * np.log(np.asarray(sizes) / true)


# Finding them


@given(true=st.floats(60, 3000), slope=st.floats(0.05, 10), sign=st.sampled_from([-1, 1]))
def test_a_difference_linear_in_log_size_is_zero_where_it_is_said_to_be(true, slope, sign):
    values = sign * (rising(true, slope=slope) + 0.01 * slope * NOISE)
    found = find_crossovers(values, SIZES, n_resamples=200)
    (one,) = found.crossovers
    assert one.size == pytest.approx(true, rel=1e-9)
    assert one.after == sign
    assert one.left < true < one.right
    assert one.low <= true <= one.high


@given(st.integers(0, 2**32 - 1))
def test_swapping_the_learners_turns_every_crossover_and_moves_none(seed):
    rng = np.random.default_rng(seed)
    values = 0.1 * rng.normal(size=(8, len(SIZES))) + rising(300)
    one, other = find_crossovers(values, SIZES), find_crossovers(-values, SIZES)
    assert [c.after for c in one.crossovers] == [-c.after for c in other.crossovers]
    for a, b in zip(one.crossovers, other.crossovers, strict=True):
        assert (a.size, a.low, a.high) == pytest.approx((b.size, b.low, b.high), rel=1e-9)


def test_no_change_of_sign_is_no_crossover():
    found = find_crossovers(rising(10) + NOISE, SIZES)
    assert found.crossovers == ()
    assert set(found.signs) == {1}
    assert all(found.decided)
    assert find_crossovers(np.zeros((3, 2)), [5, 10]).signs == (0, 0)


def test_two_changes_are_two_crossovers():
    mean = np.array([0.3, 0.1, -0.1, -0.3, -0.1, 0.1, 0.3])
    first, second = find_crossovers(mean + NOISE, SIZES).crossovers
    assert (first.after, second.after) == (-1, 1)
    assert (first.size, second.size) == pytest.approx((100 * 2**0.5, 800 * 2**0.5))
    assert first.decided
    assert second.decided


def test_noise_that_turns_the_mean_thrice_makes_one_crossover_in_the_middle():
    # Between decided sizes the mean goes up, down and up again: it is below zero for 1 + 1/2 + 1 + 1/2 of 4.
    mean = np.array([-0.5, -0.02, 0.02, -0.02, 0.02, 0.5])
    noise = np.array([-1.0, 1.0])[:, None] * [0.001, 0.5, 0.5, 0.5, 0.5, 0.001]
    sizes = [1, 2, 4, 8, 16, 32]
    found = find_crossovers(mean + np.vstack([noise, noise, noise]), sizes)
    (one,) = found.crossovers
    assert found.decided == (True, False, False, False, False, True)
    assert (one.left, one.right) == (1, 32)
    assert one.size == pytest.approx(2 ** (1 + 0.5 + 0.5 + 0.5))


def test_where_the_difference_is_zero_for_long_the_crossover_is_in_its_middle():
    values = np.array([[-1.0, 0.1, 0.1, 1.0], [-1.0, -0.1, -0.1, 1.0]] * 3)
    (one,) = find_crossovers(values, [10, 10**3, 10**5, 10**7]).crossovers  # too far apart to be smoothed
    assert one.size == pytest.approx(10**4)


def test_a_change_that_no_test_decides_is_reported_as_such_and_its_interval_is_open():
    values = np.array([[-0.4, 0.1], [-0.5, -0.1], [-0.6, 0.2], [-0.45, -0.15], [-0.55, 0.1]])
    (one,) = find_crossovers(values, [100, 1000]).crossovers
    assert not one.decided
    assert 100 < one.low < one.size < 1000
    assert one.high == np.inf
    assert 0.5 < one.p_crosses < 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "noise", "shared"),
    [
        (40, 0.1, 0.1),
    ],
)
def test_intervals_hold_the_true_size_as_often_as_they_say(n, noise, shared):
    """Over 400 simulations; at 0.95 three standard errors are 0.033."""
    rng = np.random.default_rng(1)
    sizes = np.round(np.geomspace(50, 5000, 12)).astype(int).tolist()
    held = 0
    for _ in range(400):
        values = rising(400, sizes) + shared * rng.normal(size=(n, 1)) + noise * rng.normal(size=(n, 12))
        held += any(
            c.low <= 400 <= c.high for c in find_crossovers(values, sizes, n_resamples=1000).crossovers
        )
    assert 0.91 < held / 400 < 0.99


@pytest.mark.parametrize(
    ("values", "sizes", "words"),
    [
        (np.zeros((3, 2)), [5], "1 numbers for 2"),
        (np.zeros((3, 2)), [10, 5], "ascending"),
        (np.zeros((1, 2)), [1, 5], "1 subject"),
        ([[0.0, np.inf], [1.0, 1.0]], [1, 5], "NaN or infinite"),
    ],
)
def test_what_cannot_be_searched_is_reported_in_a_sentence(values, sizes, words):
    with pytest.raises(ValueError, match=words) as caught:
        find_crossovers(values, sizes)
    assert "\n" not in str(caught.value)


# The design, on responses that are made up


class World:
    """Answers for a runner: computes the cells of rounds by a formula, and counts them."""

    def __init__(self, responses, noise=0.0):
        self.responses = responses
        self.noise = noise
        self.rows = []

    def scores(self):
        names = [
            "source",
            "replicate",
            "n_train",
            "training_set",
            "fold",
            "learner",
            "metric",
            "prior",
            "rows",
        ]
        return pd.DataFrame(self.rows, columns=[*names, "cutoff", "value", "n_infinite"])

    def value(self, cell):
        if cell.learner == "a":
            return 0.0
        value = self.responses[cell.source](cell.n_train)
        if self.noise:
            value += self.noise * np.random.default_rng([cell.replicate, cell.n_train]).normal()
        return value

    def run(self, design):
        """Return the sizes of each round."""
        plan = StudyOutline(dict.fromkeys(self.responses, 1), ("a", "b"), self.scores)
        rounds = []
        for cells in design.rounds(plan):
            for c in cells:
                place = (c.source, c.replicate, c.n_train, c.training_set, c.fold, c.learner)
                self.rows.append((*place, "ir_b", "marginal", "exact", "none", self.value(c), 0))
            rounds.append({s: sorted({c.n_train for c in cells if c.source == s}) for s in self.responses})
        return rounds

    def crossing(self, source="s"):
        wide = (
            self.scores()
            .query("source == @source")
            .pivot_table(index="replicate", columns=["learner", "n_train"], values="value")
        )
        found = find_crossovers(wide["b"] - wide["a"], list(wide["b"].columns), n_resamples=10)
        return [one.size for one in found.crossovers]


@pytest.mark.slow
@settings(max_examples=15)
@given(
    true=st.floats(20, 8000),
    bend=st.floats(-0.8, 0.8),
    sign=st.sampled_from([-1, 1]),
    noise=st.sampled_from([0.0, 0.02]),
)
def test_the_search_finds_what_a_dense_grid_finds_with_a_tenth_of_the_fits(true, bend, sign, noise):
    """The response is monotone and bent in log size; the noise is that of each training set."""

    def response(n_train):
        x = math.log(n_train / true) / math.log(1000)
        return sign * (x + bend * x * abs(x) / 2)

    dense, search = World({"s": response}, noise), World({"s": response}, noise)
    sizes = tuple(np.unique(np.round(np.geomspace(10, 10_000, 90)).astype(int)).tolist())
    dense.run(FreshSamples(replicates=4, sizes=sizes))
    search.run(CrossoverSearch(pair=("b", "a"), replicates=4, sizes=(10, 316, 10_000), ratio=1.3))
    (expected,), (found,) = dense.crossing(), search.crossing()
    assert found == pytest.approx(expected, rel=0.1)
    assert len(search.rows) <= len(dense.rows) / 10


def test_rounds_are_the_grid_then_midpoints_until_the_ratio_is_reached():
    world = World({"s": lambda n: math.log(n / 300)})
    design = CrossoverSearch(pair=("a", "b"), replicates=2, sizes=(10, 1000, 100_000), ratio=1.5)
    rounds = [one["s"] for one in world.run(design)]
    # 100 is the root of 10 * 1000, 316 that of 100 * 1000, and so on.
    assert rounds == [[10, 1000, 100_000], [100], [316], [178], [237]]
    assert 316 / 237 < 1.5 < 316 / 178


def test_each_source_is_searched_by_itself():
    world = World({
        "none": lambda n: 1.0,
        "one": lambda n: math.log(n / 200),
        "two": lambda n: math.log(n / 20) * math.log(n / 2000),
        "tie": lambda n: 0.0,
    })  # fmt: skip
    design = CrossoverSearch(pair=("a", "b"), replicates=2, sizes=(10, 100, 1000, 10_000), ratio=2)
    rounds = world.run(design)
    assert [one["none"] for one in rounds[1:]] == [[]] * (len(rounds) - 1)
    assert [one["tie"] for one in rounds[1:]] == [[]] * (len(rounds) - 1)
    assert [one["one"] for one in rounds[1:]] == [[316], [178]]
    assert [one["two"] for one in rounds[1:]] == [[32, 3162], [18, 1778]]
    assert world.crossing("two") == pytest.approx([20, 2000], rel=0.1)
    assert world.crossing("none") == []


def test_differences_that_are_infinite_or_lack_a_learner_are_not_counted():
    class Broken(World):
        def run(self, design):
            plan = StudyOutline({"s": 1}, ("a", "b"), self.scores)
            rounds = []
            for cells in design.rounds(plan):
                for c in cells:
                    value = self.value(c)
                    if c.replicate == 0:
                        value = -math.inf if c.learner == "b" else 0.0
                    if c.replicate == 1 and c.learner == "b":
                        continue
                    place = (c.source, c.replicate, c.n_train, 0, 0, c.learner)
                    self.rows.append((*place, "ir_b", "marginal", "exact", "none", value, 0))
                rounds.append(sorted({c.n_train for c in cells}))
            return rounds

    whole, broken = World({"s": lambda n: n - 50}), Broken({"s": lambda n: n - 50})
    design = CrossoverSearch(replicates=4, sizes=(10, 1000), ratio=1.5)
    assert broken.run(design) == [one["s"] for one in whole.run(design)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sizes": (50, 5)}, "sizes .*two"),
        ({"sizes": (0, 5)}, "sizes contains 0"),
        ({"ratio": 1.0}, "ratio is 1.0"),
        ({"pair": ("nb", "nb")}, "pair .*two"),
        ({"score": "ir_b//tests"}, "'tests'.*'test'"),
        ({"once": "nb"}, "once is 'nb'"),
    ],
)
def test_options_that_cannot_be_used_are_reported_in_a_sentence(options, words):
    with pytest.raises(WorkbenchError, match=words) as caught:
        CrossoverSearch(**options)
    assert "\n" not in str(caught.value)


def test_a_pair_or_score_that_the_study_lacks_is_reported_with_the_nearest():
    world = World({"s": lambda n: n - 50})
    with pytest.raises(WorkbenchError, match=r"'c'.*'a', 'b'"):
        world.run(CrossoverSearch(pair=("a", "c")))
    with pytest.raises(WorkbenchError, match=r"'accuracy' .*ir_b/marginal"):
        world.run(CrossoverSearch(score="accuracy", replicates=1))
    with pytest.raises(WorkbenchError, match="two learners"):
        next(CrossoverSearch().rounds(StudyOutline({"s": 1}, ("a",), list)))


# The design in studies

STUDY = """
name = "search"
seed = 1
keep_predictions = false
learners = [{key = "bold", learner = "nb", alpha = 0.05}, {key = "shy", learner = "nb", alpha = 8.0}]
[[sources]]
generator = "naive_bayes"
n_attributes = 5
arity = 4
n_classes = 4
[design]
kind = "crossover_search"
pair = ["bold", "shy"]
sizes = [10, 1000]
ratio = 2.0
replicates = 4
n_test = 10
[scores]
metrics = ["accuracy", "ir_b"]
"""


def test_a_study_with_the_design_can_be_written_and_read():
    study = read_study(STUDY)
    assert study.design == CrossoverSearch(("bold", "shy"), (10, 1000), ratio=2.0, replicates=4, n_test=10)
    assert read_study(write_study(study)) == study


def test_a_document_gives_the_design_back():
    design = CrossoverSearch(("bold", "shy"), (10, 1000), score="ir_b//test")
    document = StudyDocument.of(replace(read_study(STUDY), design=design))
    assert (document.design["kind"], document.design["score"]) == ("crossover_search", "ir_b//test")
    assert document.make_design() == design


@pytest.mark.parametrize(
    ("score", "named"),
    [
        ("nope", "nope"),
        ("accuracy/uniform", "accuracy/uniform"),
        ("///2001", "ir_b///2001"),
    ],
)
def test_a_score_that_the_study_lacks_is_reported_before_anything_is_computed(tmp_path, score, named):
    study = read_study(STUDY.replace("n_test = 10", f'n_test = 10\nscore = "{score}"'))
    for ask in (lambda: missing_cells(study, tmp_path / "s.db"), lambda: run(study, tmp_path / "s.db")):
        with pytest.raises(
            WorkbenchError,
            match=f"'{named}'.*accuracy/none/",
        ):
            ask()
    assert not (tmp_path / "s.db").exists()


@pytest.mark.slow
def test_cells_are_those_of_fresh_samples_and_a_second_run_computes_none(tmp_path):
    study = read_study(STUDY)
    grid = replace(study, design=FreshSamples(replicates=4, sizes=(10, 1000), n_test=10))
    run(grid, tmp_path / "s.db")
    first = run(study, tmp_path / "s.db")
    again = run(study, tmp_path / "s.db")
    n_sizes = first.cells()["n_train"].nunique()
    assert n_sizes > 2
    assert again.runs["computed"].tolist() == [16, 8 * (n_sizes - 2), 0]
    assert again.frame().equals(first.frame())
    assert load(tmp_path / "s.db").frame().equals(run(study).frame())


# The analysis and its figure


@pytest.fixture(scope="module")
def crossing(made_up):
    """Return results where b overtakes a at 500, c is ahead of both, and d equals a."""
    sizes = (50, 500, 5000)
    truths = np.linspace(0, 1, 6)[:, None] + np.zeros(3)
    wobble = 0.01 * np.array([[1, -1, 1], [-1, 1, -1]] * 3)
    return made_up(
        {"tan": {
            "a": truths,
            "b": truths + wobble + [-0.3, 0.0, 0.3],
            "c": truths + 1 + wobble,
            "d": truths,
        }},
        sizes=sizes,
    )  # fmt: skip


def test_every_pair_of_an_experiment_is_looked_at(crossing):
    (experiment,) = paired_scores(crossing)
    found = Crossovers.of(experiment)
    assert len(found.pairs) == 6
    rows = found.table[["before", "after", "left", "right", "decided"]].to_numpy().tolist()
    assert rows == [["a", "b", 50, 5000, True], ["d", "b", 50, 5000, True]]
    np.testing.assert_allclose(found.table["n_train"], 500, rtol=0.01)
    assert "b overtakes a at 500 rows (" in found.sentences[0]


def test_a_lead_is_significant_from_a_size_on(made_up):
    truths = np.linspace(0, 1, 6)[:, None] + np.zeros(3)
    wobble = 0.01 * np.array([[9, -1, 1], [-8, 1, -1]] * 3)
    (experiment,) = paired_scores(
        made_up({"tan": {"a": truths, "b": truths + wobble + [0.01, 0.3, 0.3]}}, sizes=(50, 500, 5000))
    )
    (sentence,) = Crossovers.of(experiment).sentences
    assert "is ahead of a with 50 to 5000 rows, significantly from 500 rows on." in sentence


def test_of_a_loss_the_smaller_is_ahead(made_up):
    values = {"a": np.full((3, 2), 1.0) + NOISE[:3], "b": [[2.0, 0.5]] * 3}
    (experiment,) = paired_scores(made_up({"tan": values}, keys=[("log_loss", "none", "exact", "none")]))
    (row,) = Crossovers.of(experiment).table.to_dict("records")
    assert (row["before"], row["after"]) == ("a", "b")


def test_the_bar_of_a_pair_changes_color_where_they_change_places(crossing):
    display = FIGURES["crossovers"].from_results(crossing)
    display.plot()
    bars = [bar for bar in display.ax_.patches if round(bar.get_y() + bar.get_height() / 2) == 0]
    colors = [bar.get_facecolor()[:3] for bar in bars]
    assert len(set(colors)) == 2
    (edge,) = [
        bar.get_x()
        for bar, before in zip(bars[1:], colors, strict=False)
        if bar.get_facecolor()[:3] != before
    ]
    assert 10**edge == pytest.approx(500, rel=0.01)
    assert "b overtakes a at 500 rows" in display.caption
