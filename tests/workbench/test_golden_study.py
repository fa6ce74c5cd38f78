"""The numbers of one small study do not move without a reason."""

import runpy
from pathlib import Path

import numpy as np
import pandas as pd


def test_the_small_study_gives_its_golden_means(golden: Path) -> None:
    """The script next to the numbers made them: tests/golden/make_small_study.py."""
    found = runpy.run_path(str(golden / "make_small_study.py"))["golden_means"]()
    kept = pd.read_csv(golden / "small_study.csv", keep_default_na=False)
    keys = list(kept.columns[:-1])
    pd.testing.assert_frame_equal(found[keys].astype(str), kept[keys].astype(str))
    np.testing.assert_allclose(found["value"], kept["value"], rtol=1e-9, atol=1e-12)
