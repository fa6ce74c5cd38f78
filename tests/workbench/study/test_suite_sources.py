"""Sources that are places of a suite: truths and rows come from names; levels of a probe share them."""

import numpy as np
import pytest

from workbench import read_study, run, write_study
from workbench.base.errors import WorkbenchError
from workbench.engine.problem import DrawSpec
from workbench.study.source import Source

STUDY = """
name = "places"
seed = 3
learners = ["nb", "prior"]
[[sources]]
suite = "bias-v2"
place = "tan-narrow-easy"
[[sources]]
key = "many"
suite = "bias-v2"
place = "irrelevant-tan-10"
[design]
kind = "sizes_by_source"
replicates = 2
sizes = { many = [20] }
usual = [20, 40]
n_test = 50
[scores]
metrics = ["accuracy"]
"""


def problem(place, replicate=0):
    return DrawSpec(Source("x", suite="bias-v2", place=place), 1, replicate, 50, False).build()


def test_levels_of_a_probe_share_their_rows() -> None:
    few, many = (problem(f"irrelevant-tan-{n}") for n in (10, 50))
    own = [f"x{i}" for i in range(6)]
    rows, more = (one.training_rows(30, 0)[0] for one in (few, many))
    assert rows[own].equals(more[own])
    assert few.test.X[own].equals(many.test.X[own])


def test_units_change_nothing_else() -> None:
    plain, scaled = (problem(f"units-4-{n}").training_rows(30, 0)[0] for n in (0, 4))
    ratio = scaled.to_numpy() / plain.to_numpy()
    assert np.allclose(ratio, ratio[0])
    assert ratio[0].max() / ratio[0].min() == pytest.approx(1e4)


def test_other_truths_and_places_have_other_rows() -> None:
    one = problem("tan-narrow-easy").training_rows(30, 0)[1]
    assert not one.equals(problem("tan-narrow-easy", 1).training_rows(30, 0)[1])


def test_a_study_of_places_is_read_run_and_written(tmp_path) -> None:
    study = read_study(STUDY)
    assert read_study(write_study(study)) == study
    results = run(study, tmp_path / "places.db")
    cells = results.cells()
    assert (cells["state"] == "done").all()
    assert len(cells) == 2 * 2 * 2 + 2 * 2
    assert run(study, tmp_path / "places.db").table("accuracy").equals(results.table("accuracy"))


def test_a_suite_of_places_without_one_is_its_map() -> None:
    study = read_study(STUDY.replace('place = "tan-narrow-easy"', "").replace("sizes = { many = [20] }", ""))
    assert len(study.sources) == 54 + 1


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("tan-narrow-easy", "tan-narow-easy", "no place 'tan-narow-easy'; did you mean 'tan-narrow-easy'"),
        ("replicates = 2", "replicates = 17", "has 16 truths, and the design asks for 17"),
        ("many = [20]", "mny = [20]", "unknown source 'mny' in sizes; did you mean 'many'"),
        ("bias-v2", "bias-v3", "unknown suite 'bias-v3'"),
    ],
)
def test_bad_places_are_one_sentence(before, after, sentence) -> None:
    with pytest.raises(WorkbenchError, match=sentence.replace("?", r"\?")):
        run(read_study(STUDY.replace(before, after)))


def test_a_place_needs_a_suite() -> None:
    with pytest.raises(WorkbenchError, match="give suite and place"):
        Source("x", place="tan-narrow-easy")
