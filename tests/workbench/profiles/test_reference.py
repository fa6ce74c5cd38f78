"""Reference results are read as they were written, and say what is wrong with their files."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from workbench.base.errors import WorkbenchError
from workbench.profiles.measure import Measured
from workbench.profiles.part import SuitePart
from workbench.profiles.reference import fallen_back, read_reference, write_reference
from workbench.profiles.scores import DIRECTIONS, LOSS

COLUMNS = ["learner", "source", "replicate", "n_train", "state", "message"]


@pytest.fixture
def folder(scores, tmp_path):
    part = SuitePart(4, 500)
    failed = pd.DataFrame([("tan", "rules-wide-easy", 2, 50, "failed", "no")], columns=COLUMNS)
    runs = [
        Measured(scores.only(learners=["truth", "optimal", "prior", "nb"]), part, failed.iloc[:0]),
        Measured(scores.only(learners=["tan"], n_truths=2), SuitePart(2, 500), failed),
    ]
    write_reference(runs, {key: {"class": key} for key in scores.learners}, tmp_path)
    return tmp_path


def test_what_is_read_is_what_was_written(scores, folder) -> None:
    found = read_reference(folder=folder)
    assert found.learners == ("truth", "optimal", "prior", "nb", "tan")
    for metric in DIRECTIONS:
        expected = scores.values[metric][scores.at("nb")]
        there = found.scores.only(learners=["nb"], sizes=scores.sizes, n_truths=4).values[metric][0]
        assert np.array_equal(there, expected, equal_nan=True)  # to the bit
    assert found.parts["tan"] == SuitePart(2, 500)
    assert np.isnan(found.scores.values[LOSS][found.scores.at("tan")][:, 2:4]).mean() > 0.99


def test_descriptions_are_kept_to_three_digits(scores, folder) -> None:
    found = read_reference(folder=folder).scores.only(learners=["nb"], sizes=scores.sizes, n_truths=4)
    expected = scores.values["forecast_entropy"][scores.at("nb")]
    assert np.allclose(found.values["forecast_entropy"][0], expected, rtol=1e-3, equal_nan=True)


def test_a_cell_that_failed_has_the_scores_of_the_class_frequencies(scores, folder) -> None:
    found = read_reference(folder=folder)
    assert found.failures == {"truth": 0, "optimal": 0, "prior": 0, "nb": 0, "tan": 1}
    place, size = found.scores.places.index("rules-wide-easy"), found.scores.sizes.index(50)
    at = found.scores.values[LOSS][:, place, 2, size]
    assert at[found.scores.at("tan")] == at[found.scores.at("prior")]


def test_cells_of_others_are_left_alone(scores) -> None:
    failed = pd.DataFrame([("tan", "rules-wide-easy", 2, 50, "failed", "no")], columns=COLUMNS)
    found = fallen_back(scores, failed, scores.only(learners=["prior"]))
    changed = found.values[LOSS] != scores.values[LOSS]
    assert np.argwhere(changed & np.isfinite(scores.values[LOSS])).tolist() == [
        [scores.at("tan"), scores.places.index("rules-wide-easy"), 2, scores.sizes.index(50)]
    ]


def test_a_damaged_file_is_one_sentence(folder) -> None:
    path = folder / "bias-v2.npz"
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(WorkbenchError, match=r"bias-v2.npz are damaged.* install the package again"):
        read_reference(folder=folder)


def test_files_of_another_suite_or_seed_are_one_sentence(folder) -> None:
    path = folder / "bias-v2.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, "suite": "bias-v1"}), encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"are for bias-v1, seed 2026, but profiles use bias-v2"):
        read_reference(folder=folder)


def test_scores_on_another_suite_are_not_compared(scores) -> None:
    from workbench.profiles.scores import joined

    with pytest.raises(WorkbenchError, match="scores on other cannot be compared with those on bias-v2"):
        joined(scores, replace(scores, suite="other"))


def test_the_reference_results_are_small_and_of_every_entrant() -> None:
    from workbench.profiles.entrants import ENTRANTS
    from workbench.profiles.reference import FOLDER

    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 5_000_000
    assert set(read_reference().learners) >= set(ENTRANTS)


def test_a_learner_has_no_scores_of_its_own_where_it_failed(scores, tmp_path) -> None:
    part = SuitePart(4, 500)
    failed = pd.DataFrame([("tan", "rules-wide-easy", 2, 50, "failed", "no")], columns=COLUMNS)
    write_reference([Measured(scores, part, failed)], {}, tmp_path)
    own = read_reference(folder=tmp_path).measured("tan")
    assert own.part == part
    assert own.failed[COLUMNS[:4]].to_numpy().tolist() == [["tan", "rules-wide-easy", 2, 50]]
    there = np.isfinite(own.scores.values[LOSS][0])
    expected = np.isfinite(scores.values[LOSS][scores.at("tan")])
    place, size = own.scores.places.index("rules-wide-easy"), own.scores.sizes.index(50)
    assert np.argwhere(there != expected).tolist() == [[place, 2, size]]
