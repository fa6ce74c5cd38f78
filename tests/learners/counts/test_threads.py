"""Threads share out the rows, and change no number."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from learners import (
    AnDEClassifier,
    AODEClassifier,
    AveragedTANClassifier,
    NaiveBayesClassifier,
    TANClassifier,
)
from learners.counts.threads import check_threads, shares

ROWS = 30_011
LEARNERS = (
    NaiveBayesClassifier(),
    NaiveBayesClassifier(numeric="mdlp", smoothing="friedman"),
    TANClassifier(),
    AveragedTANClassifier(),
    AODEClassifier(),
    AODEClassifier(smoothing="backoff"),
    AnDEClassifier(n=1),
    AnDEClassifier(n=2),
)


@pytest.fixture(scope="module")
def tables():
    """Make a table of codes, and a frame with holes and numbers."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, (ROWS, 4))
    y = (codes[:, 0] + (rng.random(ROWS) < 0.3)) % 3
    frame = pd.DataFrame(
        {
            f"x{j}": pd.Categorical.from_codes(column - (column > 1), ["a", "b"])
            for j, column in enumerate(codes.T)
        }
    )
    frame.loc[rng.random(ROWS) < 0.1, "x1"] = None
    frame["z"] = rng.normal(size=ROWS)
    return {
        "codes": (codes, y),
        "frame": (frame, pd.Series(y, name="y")),
        "codes only": (frame.drop(columns="z"), y),
    }


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_threads_change_no_bit(learner, tables):
    X, y = tables["codes only" if isinstance(learner, AveragedTANClassifier) else "frame"]
    rows = X[::3] if isinstance(X, np.ndarray) else X.iloc[::3]
    alone = type(learner)(**learner.get_params()).fit(X, y)
    shared = type(learner)(**learner.get_params()).set_params(n_jobs=3).fit(X, y)
    assert shared.predict_proba(X).tobytes() == alone.predict_proba(X).tobytes()
    assert shared.predict_proba(rows).tobytes() == alone.predict_proba(rows).tobytes()


def test_real_weights_are_summed_in_the_order_of_the_rows(tables):
    X, y = tables["codes"]
    weight = np.random.default_rng(0).random(ROWS)
    alone, shared = (TANClassifier(n_jobs=n).fit(X, y, weight).predict_proba(X) for n in (1, 2))
    assert shared.tobytes() == alone.tobytes()


def test_batches_follow_a_fit_in_threads(tables):
    X, y = tables["codes"]
    half = ROWS // 2
    shared = AODEClassifier(n_jobs=2).fit(X[:half], y[:half]).partial_fit(X[half:], y[half:])
    assert shared.predict_proba(X).tobytes() == AODEClassifier().fit(X, y).predict_proba(X).tobytes()


def test_a_thread_gets_enough_rows():
    assert shares(9_999, 4) == [slice(0, 9_999)]
    assert shares(25_000, 4) == [slice(0, 12_500), slice(12_500, 25_000)]
    parts = shares(100_003, 3)
    assert [parts[0].start, parts[-1].stop] == [0, 100_003]
    assert all(one.stop == other.start for one, other in pairwise(parts))


def test_a_wrong_number_of_threads_is_refused(tables):
    for n_jobs in [0, -2, 1.5, "all"]:
        X, y = tables["codes"]
        with pytest.raises(ValueError, match=r"n_jobs.*1.*-1"):
            NaiveBayesClassifier(n_jobs=n_jobs).fit(X, y)


def test_minus_one_is_a_thread_per_core():
    assert check_threads(-1) >= 1


def test_rows_are_shared_out_and_counted_apart(monkeypatch, tables):
    X, y = tables["codes"]
    shared = []

    def watched(function, parts, n_threads):
        parts = list(parts)
        shared.append((len(parts), n_threads))
        return [function(part) for part in parts]

    monkeypatch.setattr("learners.counts.counting_learner.in_threads", watched)
    AODEClassifier(n_jobs=3).fit(X, y).predict_proba(X)
    assert shared == [(3, 3), (3, 3)]
    shared.clear()
    monkeypatch.setattr("learners.counts.counting_learner.LARGEST_TABLE", 1)
    AODEClassifier(n_jobs=3).fit(X, y)
    assert shared == [(1, 1)]  # all counts together would take too much memory


@pytest.mark.filterwarnings("error")
def test_a_part_with_unknown_values_warns_no_more_than_the_whole_column():
    X = pd.DataFrame({"day": np.repeat(["a", "b"], ROWS)}, dtype="category")
    known = X.iloc[ROWS:].assign(day=lambda rows: rows["day"].cat.remove_unused_categories())
    shared = NaiveBayesClassifier(n_jobs=2).fit(known, np.arange(len(known)) % 2)
    assert shared.predict_proba(X).shape == (2 * ROWS, 2)


def test_learners_with_other_threads_can_be_merged(tables):
    X, y = tables["codes"]
    one, two = (NaiveBayesClassifier(n_jobs=n).partial_fit(X, y, classes=[0, 1, 2]) for n in (1, 2))
    both = one.merged(two)
    assert both.class_prior_ == pytest.approx(one.class_prior_, abs=1e-3)
