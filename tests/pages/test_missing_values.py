"""The measurement of missing values in the guide to networks is what the script prints."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "guides" / "networks.md").read_text(encoding="utf-8")
AGAIN = "write it anew: python docs/scripts/missing_values.py"
pytestmark = pytest.mark.filterwarnings("ignore::learners.MissingValuesWarning")


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / "docs" / "scripts" / "missing_values.py"))


def test_the_guide_names_the_worlds_of_the_script(script):
    assert f"\n{next(script['cause_lines']())}\n" in GUIDE, AGAIN


@pytest.mark.slow
def test_the_guide_has_all_numbers_of_the_script(script):
    assert "\n".join(script["cause_lines"]()) in GUIDE, AGAIN
    complete, holed = (
        [float(one) for one in line.split(": ")[1].split(", ")] for line in script["turned_lines"]()
    )
    assert f"{min(complete):.2f} to {max(complete):.2f}" in GUIDE
    assert f"above 0.95 in {sum(one > 0.95 for one in holed)} tables of ten" in GUIDE
