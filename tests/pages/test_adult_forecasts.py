"""What the guide to scores says of forecasts on adult is what its script finds."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "scripts" / "adult_forecasts.py"


@pytest.fixture(scope="module")
def written() -> pd.DataFrame:
    return pd.read_csv(SCRIPT.with_suffix(".csv"), index_col="learner")


def test_the_guide_says_the_figures_that_the_script_wrote(written) -> None:
    area, reward = written["area"], written["ir_b"]
    guide = " ".join((ROOT / "docs" / "guides" / "scores.md").read_text(encoding="utf-8").split())
    assert (
        f"On adult naive Bayes ranks the rows almost as well as TAN (area {area['nb']:.3f} against "
        f"{area['tan']:.3f}; AODE {area['aode']:.3f}), yet its probabilities lose {-reward['nb']:.2f} bits "
        f"per row where TAN's earn {reward['tan']:.2f} and AODE's {reward['aode']:.2f}."
    ) in guide
    assert 0.0 < area["tan"] - area["nb"] < 0.02  # almost


@pytest.mark.slow
def test_the_script_still_finds_what_it_wrote(shared, written) -> None:
    if not list(shared.glob("datasets/adult.arff*")):
        pytest.skip(f"no adult.arff or adult.arff.gz in {shared / 'datasets'}")
    script = runpy.run_path(str(SCRIPT))
    found = script["figures"](script["panels"](shared / "datasets"))
    pd.testing.assert_frame_equal(found, written, rtol=0.0, atol=1e-5)
