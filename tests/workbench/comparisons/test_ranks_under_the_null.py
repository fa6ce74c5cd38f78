"""The page about false alarms of ranks and posteriors: 200 simulations of each world, where it has 2000."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

BOUND = 0.07 + 3 * np.sqrt(0.07 * 0.93 / 200)


@pytest.fixture(scope="module")
def script():
    """Load the script that writes the page."""
    path = Path(__file__).resolve().parents[3] / "docs" / "scripts" / "ranks_under_the_null.py"
    spec = importlib.util.spec_from_file_location("ranks_under_the_null", path)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(path.parent))  # for the modules next to it
        # Dataclasses look their module up.
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("world", range(6))
def test_rank_tests_keep_their_level(script, world):
    alarms = script.rank_alarms(script.RANK_WORLDS[world], 200, seed=11)
    assert len(alarms) == 6
    for name, found in alarms.items():
        assert found.mean() < BOUND, name


@pytest.mark.slow
@pytest.mark.parametrize("kind", range(4))
def test_posteriors_on_tables_decide_wrongly_about_as_often_as_they_may(script, kind):
    found = script.table_decisions(script.tables.TABLES[kind], 100, seed=11)
    assert len(found) == 12
    for name, shares in found.items():
        if "(right)" not in name:
            bound = 0.14 if "better or worse" in name else 0.08
            assert shares.mean() < bound, name
    # The posterior moves with the scores: at the edge of a region "better" is as often as without one.
    assert found["narrow region, at the edge: better"].mean() == pytest.approx(
        found["no region, equal: better"].mean(), abs=0.002
    )


@pytest.mark.slow
def test_posteriors_over_data_sets_decide_wrongly_about_as_often_as_they_may(script):
    found = script.signed_decisions(14, False, 100, seed=11)
    assert found["no region, equal: better"].mean() < BOUND
    assert found["no region, equal: better or worse"].mean() < 2 * BOUND
    assert found["wide region, equal: better or worse"].mean() == 0
    assert found["wide region, equal: practically equal (right)"].mean() > 0.85
    assert found["wide region, at the edge: better"].mean() < BOUND


def test_the_page_names_every_test_and_its_command(script):
    ranks = {world.key: script.rates(script.rank_alarms(world, 2, 1)) for world in script.RANK_WORLDS}
    tables = {table.key: script.rates(script.table_decisions(table, 2, 1)) for table in script.tables.TABLES}
    signed = {
        name: script.rates(script.signed_decisions(*world, 2, 1))
        for name, world in script.SIGNED_WORLDS.items()
    }
    correlations = {"coverage, pearson": script.Rate(0.9, 0.89, 0.91)}
    text = script.page(ranks, tables, signed, correlations, 2, 1, Path("null.md"))
    assert "--simulations 2 --seed 1 --to null.md" in text
    named = (*ranks["i"], *tables["e"], *next(iter(signed.values())))
    assert all(f"| {name} |" in text for name in named)
    assert "| coverage, pearson | **0.900 (0.890, 0.910)** |" in text
