"""How the study of metrics counts: ties are one half, and its notes quote its tables."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "metric_of_metrics"


@pytest.fixture(scope="module")
def script():
    """Load the script that writes the notes."""
    spec = importlib.util.spec_from_file_location("metric_of_metrics_notes", FOLDER / "write_notes.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))  # for the modules next to it
        for name in ("agreements", "robustness", "shares"):
            patch.delitem(sys.modules, name, raising=False)
        spec.loader.exec_module(module)
        module.counted, module.robustness = sys.modules["agreements"], sys.modules["robustness"]
    return module


@pytest.fixture
def data(script):
    """Two truths, one training size; three pairs, the last with the learner that assigns probability 0."""
    shape = (2, 1, len(script.TARGETS), len(script.PARTS), len(script.JUDGED), 3)
    share = np.full(shape, 0.5, dtype=np.float32)
    equal_errors = np.array([0.4, 0.2, 0.9]) * np.ones((2, 1, len(script.PARTS), 3))
    share[..., script.JUDGED.index("accuracy"), 0] = 1.0
    gap = np.zeros((2, 1, len(script.EXACT), 3))
    gap[:, :, script.EXACT.index("kl_divergence")] = [0.5, -0.5, -np.inf]
    gap[:, :, script.EXACT.index("accuracy")] = [0.2, 0.0, 0.1]
    pairs = np.array([["nb", "tan"], ["nb", "aode"], ["nb", "c45"]])
    sources = np.array(["tan, 2 classes, even", "aode, 4 classes, skewed"])
    return script.Smoothed(
        script.counted.Agreements(share, gap, equal_errors, sources, np.array([200]), pairs)
    )


def test_a_tie_of_either_score_counts_one_half(script):
    signs = script.counted.signs(np.array([0.3, -0.3, 1e-16, np.nan, np.inf]))
    assert signs.tolist() == [1, -1, 0, 0, 1]
    assert script.counted.agree(signs, np.array([1, 1, 1, -1, 0])).tolist() == [1, 0, 0.5, 0.5, 0.5]


def test_equal_numbers_of_errors_ask_log_loss(script):
    accuracy, log_loss = np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[-1.0, -1.0], [1.0, 0.0]])
    broken = script.counted.break_ties(accuracy, log_loss)
    assert broken.tolist() == [[1, -1], [1, 0]]
    ranked = {(name, n): log_loss for name in script.JUDGED for n in script.PARTS}
    ranked |= {("accuracy", n): accuracy for n in script.PARTS}
    ranked |= {(script.TIES_BROKEN, n): broken for n in script.PARTS}
    share, equal = script.counted._shares(ranked, np.array([[0.1, -0.1], [-0.1, 0.0]]))
    assert share.shape == (2, len(script.PARTS), len(script.JUDGED), 2)
    assert share[0, 0, script.JUDGED.index("accuracy")].tolist() == [0.75, 0.5]
    assert share[0, 0, script.JUDGED.index(script.TIES_BROKEN)].tolist() == [1.0, 0.75]
    assert equal[0].tolist() == [0.5, 1.0]


def test_pairs_with_zeros_are_split_by_whether_the_exact_score_is_infinite(script, data):
    assert data.equal_errors(200) == pytest.approx(30)  # of the two pairs without c45
    infinite = np.isinf(data.gap("kl_divergence", 200)) & ~data.pairs
    own = data.percent_of("accuracy", "kl_divergence", 200, infinite)
    assert own == pytest.approx(50)
    assert data.percent_of("accuracy", "kl_divergence", 200, infinite & False).size == 0


def test_the_main_tables_leave_the_unsmoothed_learner_out(script, data):
    assert data.pairs.tolist() == [True, True, False]
    accuracy = data.percent("accuracy", 200)[..., script.JUDGED.index("accuracy")]
    assert accuracy == pytest.approx(75)  # the mean of 100 and 50
    # one pair agrees, the other is tied by accuracy alone
    assert data.exact("kl_divergence", "accuracy", 200) == 75
    assert data.exact("accuracy", "accuracy", 200) == 75
