"""Weka and R as learners forecast as ours do: skipped where Java, Weka, R or e1071 is missing.

CLASSPATH=/path/to/weka.jar WORKBENCH_DATA=FOLDER python -m pytest -s tests/oracles/test_programs.py
"""

from pathlib import Path

import numpy as np
import pytest

from workbench import read_study
from workbench.base.errors import WorkbenchError
from workbench.datasets import load_arff

pytestmark = [pytest.mark.slow, pytest.mark.process]
PROGRAMS = Path(__file__).resolve().parents[2] / "experiments" / "programs"
CASES = [
    *[("weka", "weka_nb", "nb", table) for table in ("vote", "iris", "labor")],
    *[("weka", "weka_j48", "j48", table) for table in ("vote", "iris", "labor")],
    *[("r", "e1071_nb", "nb", table) for table in ("vote", "breast-cancer", "tic-tac-toe")],
]


@pytest.mark.parametrize(("study", "program", "ours", "table"), CASES)
def test_a_program_forecasts_as_ours_does(study, program, ours, table, shared, monkeypatch):
    monkeypatch.chdir(PROGRAMS.parents[1])
    learners = {one.key: one.build() for one in read_study(PROGRAMS / f"{study}.toml").learners}
    X, y = load_arff(shared / "datasets" / f"{table}.arff")
    places = np.random.default_rng(0).permutation(len(X))
    train, test = places[: 2 * len(X) // 3], places[2 * len(X) // 3 :]
    try:
        learners[program].fit(X.iloc[train], y.iloc[train])
    except WorkbenchError as error:
        pytest.skip(str(error))
    found = learners[program].predict_proba(X.iloc[test])
    expected = learners[ours].fit(X.iloc[train], y.iloc[train]).predict_proba(X.iloc[test])
    version, off = learners[program].program_version, np.abs(found - expected).max()
    print(f"{program} ({version}) and {ours} on {table}: {off:.1e}")
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
