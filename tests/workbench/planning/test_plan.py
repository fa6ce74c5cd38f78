"""Plans: intervals by their formula, disagreement, rows needed, pages, seeds, and bad input in a sentence."""

import signal
from contextlib import suppress
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from typer.testing import CliRunner

from workbench import Plan, plan
from workbench.base.errors import WorkbenchError
from workbench.cli.app import app
from workbench.planning.findings import WIDENING
from workbench.planning.needs import CANNOT_SAY
from workbench.planning.present import Present


class Failing(ClassifierMixin, BaseEstimator):
    """Fails where there are many rows."""

    def fit(self, X, y):
        if len(X) > 150:
            raise MemoryError("too many rows for me")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def made(losses, twin_losses, n_rows=100, rows=(400,)):
    """Make a plan from losses of parts and sizes, and of twins at 90, 100, 200 and 400 rows."""
    losses = np.array(losses, dtype=float)
    present = Present((12, 22, 45, 64, 90), losses, np.zeros(losses.shape[:2]), np.ones(20))
    keys = tuple(f"l{i}" for i in range(len(losses)))
    kinds = ("dense",) * len(twin_losses)
    return Plan(keys, n_rows, rows, (100, 200, 400), present, kinds, np.array(twin_losses), 0, ())


def parts_around(means, spread=0.1):
    """Return losses of twenty parts and five sizes with given means."""
    step = spread * np.tile([-1.0, 1.0], 10)
    return [np.tile(mean, (20, 1)) + step[:, None] for mean in means]


LEVEL = [[0.8, 0.7, 0.6, 0.55, 0.5]]
TWINS = [[[0.9, 0.88, 0.8, 0.7]], [[0.9, 0.88, 0.8, 0.6]]]


def test_intervals_are_those_of_the_formula() -> None:
    found = made(parts_around(LEVEL), TWINS)
    error = np.sqrt(1 / 20 + 1 / 9) * np.std(np.tile([-0.1, 0.1], 10), ddof=1)
    assert found.present.error == pytest.approx([error])
    assert found.gain[0].tolist() == pytest.approx([0.02, 0.1, 0.25])
    spread = np.std([0.2, 0.3], ddof=1)
    assert found.expected[0, 2] == pytest.approx(0.5 - 0.25)
    assert found.high[0, 2] - found.expected[0, 2] == pytest.approx(WIDENING * np.hypot(error, spread))
    assert found.low[0, 2] == pytest.approx(max(0.0, 0.25 - WIDENING * np.hypot(error, spread)))


def test_the_power_law_leaves_out_the_smallest_subsample() -> None:
    found = made(parts_around(LEVEL), TWINS)
    other = made(parts_around([[9.0, *LEVEL[0][1:]]]), TWINS)
    assert found.extrapolated == pytest.approx(other.extrapolated)


def test_extrapolation_counts_from_the_rows_of_a_training_part() -> None:
    sizes = np.array([12, 22, 45, 64, 90])
    found = made(parts_around([0.3 + 10 / sizes]), TWINS)
    assert found.extrapolated[0] == pytest.approx(10 / 90 - 10 / np.array([100, 200, 400]), abs=2e-3)
    assert found.extrapolated_loss[0, 2] == pytest.approx(0.3 + 10 / 400, abs=2e-3)


def test_ways_that_differ_are_flagged_and_the_answer_says_it() -> None:
    found = made(parts_around([[0.5, 0.5, 0.5, 0.5, 0.5]], spread=0.3), TWINS)
    assert found.gain[0].tolist() == pytest.approx([0.02, 0.1, 0.25])
    assert abs(found.extrapolated).max() < 0.001
    assert found.disagree[0].tolist() == [False, False, True]  # a fifth of 0.5, however wide the interval
    assert "cannot be said" in found.answer()
    assert any("disagree about l0" in sentence for sentence in found.sentences)


def test_twins_that_save_more_than_is_lost_are_flagged() -> None:
    found = made(parts_around([[0.1] * 5], spread=2.0), [[[0.9, 0.8, 0.7, 0.6]], [[0.9, 0.8, 0.7, 0.7]]])
    assert found.gain[0, 2] > found.present.mean[0]
    assert found.disagree[0, 2]
    assert found.expected[0, 2] == 0


def test_rows_needed_is_a_range_of_doublings_or_cannot_be_said() -> None:
    parts = [[0.8, 0.72, 0.6, 0.55, 0.5]]
    law = made(parts_around(parts, spread=0.05), TWINS).extrapolated[0]
    found = made(parts_around(parts, spread=0.05), [[[0.9, *(0.9 - law)]]] * 2)
    assert not found.disagree.any()
    needed = found.rows_needed("l0", float(found.low[0, 1]) + 1e-9)
    assert found.high[0, 2] < needed.loss < min(found.low[0, 0], found.high[0, 1])
    assert (needed.low, needed.high) == (100, 400)  # it may come at once after the last that cannot do
    assert needed.words == "100 to 400 rows, 0 to 2 doublings"
    unsure = found.rows_needed("l0", float(found.low[0, 2]) + 1e-9)
    assert unsure.words == f"{CANNOT_SAY}: hardly with 200 rows, and not surely with 400"
    assert found.rows_needed("l0", 0.9).words == "no more than the 100 rows that there are"
    never = found.rows_needed("l0", 0.01)
    assert (never.low, never.high) == (None, None)
    assert never.words.startswith(CANNOT_SAY)
    apart = made(parts_around([[0.5] * 5], spread=0.01), TWINS)
    assert apart.rows_needed("l0", 0.4).words == f"{CANNOT_SAY}: the two ways disagree"


def test_ranks_that_cannot_be_told_are_ranges() -> None:
    same = made(parts_around([[0.5] * 5, [0.5] * 5, [0.9] * 5], spread=0.1), np.ones((2, 3, 4)))
    assert same.leaders == ("l0", "l1", "l2")  # constant differences say nothing of chance
    rng = np.random.default_rng(0)
    losses = np.array([0.5, 0.5, 0.9])[:, None, None] + 0.05 * rng.normal(size=(3, 20, 5))
    low, high = Present((1, 2, 3, 4, 5), losses, losses[:, :, 0], np.ones(20)).ranks
    assert low.tolist() == [1, 1, 3]
    assert high.tolist() == [2, 2, 3]


@pytest.mark.slow
def test_a_plan_of_a_table(found) -> None:
    assert found.sizes == (90, 180, 200, 360)
    assert found.table().shape[0] == 2 * 3
    assert found.table("curve").shape[0] == 4 * 3
    assert "future rows are like these" in " ".join(found.sentences)
    assert found.present.n_train == 81
    prior = found.learners.index("prior")
    assert abs(found.gain[prior]).max() < 0.1
    assert repr(found) == "Plan(3 learners, 90 rows now, up to 360)"


@pytest.mark.slow
def test_the_seed_decides_everything(rows) -> None:
    first, again, other = (
        plan(*rows, learners=["nb", "prior"], rows=120, seed=seed, progress=False) for seed in (7, 7, 8)
    )
    assert np.array_equal(first.twin_losses, again.twin_losses)
    assert np.array_equal(first.present.losses, again.present.losses)
    assert not np.array_equal(first.twin_losses[:, 0], other.twin_losses[:, 0])
    assert not np.array_equal(first.twin_losses[:, 1], other.twin_losses[:, 1])


@pytest.mark.slow
def test_pages_pictures_and_the_notebook(found, tmp_path) -> None:
    place = found.report(tmp_path / "plan.html", tmp_path / "plan.md", tmp_path / "plan.csv")
    page = place.read_text(encoding="utf-8")
    for words in (
        "What would more rows bring?",
        found.answer().split(":")[0],
        "Expected loss by twins",
        "Seed 7",
    ):
        assert words in page
    found.plot().save(tmp_path / "plan.png")
    assert (tmp_path / "plan.png").stat().st_size > 10_000
    assert "future rows are like these" in found._repr_html_()


@pytest.mark.slow
def test_a_learner_that_fails_is_left_out_with_a_reason(rows) -> None:
    found = plan(*rows, learners={"nb": "nb", "bad": Failing()}, rows=360, progress=False)
    assert found.learners == ("nb",)
    assert "bad is left out: it failed on 180 rows: MemoryError: too many rows for me." in found.notes
    with pytest.raises(WorkbenchError, match="no learner could be fitted; bad failed on 180 rows"):
        plan(*rows, learners={"bad": Failing()}, rows=360, progress=False)


class Recording(ClassifierMixin, BaseEstimator):
    """Remembers which rows it was given."""

    seen: ClassVar[list] = []

    def fit(self, X, y):
        self.classes_, self.rows = np.unique(y), X.index
        return self

    def predict(self, X):
        self.seen.append((self.rows, X.index))
        return np.full(len(X), self.classes_[0])


def test_training_and_test_rows_are_apart(rows) -> None:
    Recording.seen.clear()
    plan(*rows, learners={"it": Recording()}, input="table", rows=360, progress=False)
    assert all(not set(train) & set(test) for train, test in Recording.seen)
    first = [81] * 4 + [90] * 4 + [180] * 2 + [360]
    parts, twins = Recording.seen[: -6 * len(first)], Recording.seen[-6 * len(first) :]
    assert {len(train) for train, _ in parts} == {10, 20, 40, 57, 81}
    tested = [frozenset(test) for train, test in parts if len(train) == 81]
    assert len(set(tested)) == 20  # the second repeat has other parts than the first
    assert set.union(*map(set, tested[:10])) == set.union(*map(set, tested[10:])) == set(range(90))
    assert [len(train) for train, _ in twins] == 6 * first
    assert len(set.union(*(set(train) for train, _ in twins[:4]))) == 4 * 81
    assert len({frozenset(test) for _, test in twins[: len(first)]}) == 1


class Eager(Failing):
    """Fails on few rows, as inner cross-validation does."""

    def fit(self, X, y):
        if len(X) < 40:
            raise ValueError("too few rows for me")
        self.classes_ = np.unique(y)
        return self


@pytest.mark.slow
def test_no_extrapolation_is_said(rows) -> None:
    class Late(Eager):
        def fit(self, X, y):
            if len(X) < 60:
                raise ValueError("too few rows for me")
            return super().fit(X, y)

    found = plan(*rows, learners={"nb": "nb", "late": Late()}, rows=180, progress=False)
    assert np.isnan(found.extrapolated[1]).all()
    assert any("no extrapolation for late" in sentence for sentence in found.sentences)
    assert "none" in found._repr_html_()


class Deaf(Failing):
    """Takes Ctrl-C for an early end, as searches do."""

    def fit(self, X, y):
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        self.classes_ = np.unique(y)
        return self


def test_ctrl_c_ends_a_plan_though_a_learner_goes_on(rows) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        plan(*rows, learners={"deaf": Deaf()}, rows=180, progress=False)
    assert signal.getsignal(signal.SIGINT) is before


def wide():
    return pd.DataFrame(np.zeros((100, 10_000))), np.arange(100) % 2


def frame(n, **columns):
    return pd.DataFrame({"a": np.arange(n) * 1.0, **columns})


@pytest.mark.parametrize(
    ("X", "y", "options", "sentence"),
    [
        (frame(4), [0, 0, 1, 1], {}, "the table has 4 rows: a plan needs at least 50"),
        (frame(60), np.arange(60) // 2, {}, "the table has 0 classes with 10 rows or more"),
        (*wide(), {}, "the table has 10,000 columns besides the class"),
        (
            pd.DataFrame({"a": [np.nan] * 60}),
            np.arange(60) % 2,
            {},
            "all columns of the table besides the class hold no value",
        ),
        (frame(60), np.arange(60) % 2, {"rows": 30}, "rows is 30: expected a number above the 60 rows"),
        (frame(60), np.arange(60) % 2, {"rows": "many"}, "rows is 'many': expected a whole number, such as"),
        (frame(60), np.arange(60) % 2, {"rows": 961}, "rows is 961, and 60 rows are there: plans reach at"),
        (frame(60), np.arange(60) % 2, {"learners": ["nbb"]}, "'nbb'"),
        (frame(60), np.arange(60) % 2, {"seed": 0.5}, "seed is 0.5"),
    ],
)
def test_bad_input_is_one_sentence(X, y, options, sentence) -> None:
    with pytest.raises(WorkbenchError) as raised:
        plan(X, y, progress=False, **options)
    assert sentence in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.slow
def test_what_is_doubtful_is_a_note(rows) -> None:
    X, y = rows
    table = X.assign(nothing=np.nan, code=np.arange(len(X)) % 3, name=[f"row {i}" for i in range(len(X))])
    y = y.mask(np.arange(len(y)) < 3, "rare")
    notes = " ".join(plan(table, y, learners=["nb"], rows=180, progress=False).notes)
    for words in ("hold no value: nothing", "few whole ones: code", "like a name: name", "rare (3 rows)"):
        assert words in notes
    assert "copies" not in notes


@pytest.fixture
def folder(rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = rows
    X.assign(y=y).to_csv("mine.csv", index=False)
    return tmp_path


def typed(*words):
    return CliRunner().invoke(app, ["plan", *words])


@pytest.mark.slow
def test_the_command_writes_a_page_and_prints_the_answer(folder) -> None:
    done = typed("mine.csv", "--class", "y", "--rows", "180,360", "--learners", "nb,tan", "--loss", "0.4")
    assert done.exit_code == 0, done.stderr
    assert "With 360 rows, 4 times" in done.stdout or "cannot be said" in done.stdout
    assert "0.4 bits, nb:" in done.stdout
    assert "How many rows a loss of 0.4 bits may take" in (folder / "mine.plan.html").read_text()
    assert done.stdout.rstrip().endswith("page mine.plan.html")
    assert (folder / "mine.plan.html").stat().st_size > 10_000


@pytest.mark.slow
def test_the_command_leaves_out_columns_and_takes_shares_and_names(folder) -> None:
    done = typed(
        "mine.csv", "--class", "y", "--drop", "text,category", "--loss", "90%", "--to", "it.md",
        "--learners", "nb,sklearn.naive_bayes:BernoulliNB",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    page = (folder / "it.md").read_text(encoding="utf-8")
    assert "BernoulliNB" in page
    assert "sklearn" not in page
    assert "The table is mine.csv, the class y; left out as asked: text,category." in page
    assert "1,440 rows, 16 times" in done.stdout  # a wished loss is looked for as far as plans reach
    assert "bits, nb:" in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gone.csv"], "gone.csv"),
        (["mine.csv", "--class", "z"], "no column 'z'"),
        (["mine.csv", "--rows", "40"], "rows is 40: expected a number above the 90 rows"),
        (["mine.csv", "--rows", "x"], "--rows has 'x'"),
        (["mine.csv", "--loss", "-1"], "loss is -1"),
        (["mine.csv", "--class", "y", "--loss", "90"], "more than even odds of 2 classes lose; for a share"),
        (["mine.csv", "--rows", "1,400"], "--rows is 1,400: commas separate numbers, so write 1400"),
        (
            ["mine.csv", "--class", "y", "--drop", "numer"],
            "has no column 'numer' to leave out: did you mean 'number'?",
        ),
    ],
)
def test_bad_words_of_the_command_are_one_sentence(words, sentence, folder) -> None:
    done = typed(*words)
    assert done.exit_code == 2
    assert sentence in done.stderr
    lines = [line for line in done.stderr.strip().splitlines() if "fits" not in line]
    assert len(lines) == 1


def test_ctrl_c_ends_the_command_with_130(folder, monkeypatch) -> None:
    def stopped(*given, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("workbench.planning.plan.present_of", stopped)
    done = typed("mine.csv", "--class", "y")
    assert done.exit_code == 130
    assert "stopped: no page was written" in done.stderr
    assert not (folder / "mine.plan.html").exists()
