"""The notes on learner bias: what the study has, and that their tables are made from any run of it."""

import re
import runpy
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from generators.suite import KINDS
from workbench import Study, run

EXPERIMENTS = Path(__file__).resolve().parents[1] / "experiments"
SCRIPT = runpy.run_path(str(EXPERIMENTS / "learner_bias.py"))
NOTES = (EXPERIMENTS / "learner_bias.md").read_text(encoding="utf-8")
HEADS = re.findall(r"^### (.+)$", NOTES, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def study():
    return Study.from_toml(EXPERIMENTS / "learner_bias.toml")


@pytest.fixture(scope="module")
def small(study):
    """Give the study with few truths, sizes and sets, and without the learner that takes most of the time."""
    design = replace(
        study.design,
        replicates=2,
        sizes=(20, 50, 400, 3000),
        n_test=100,
        training_sets=2,
        once=("prior", "truth"),
    )
    learners = tuple(one for one in study.learners if "boosting" not in one.key)
    return replace(study, design=design, learners=learners)


def test_the_study_has_all_kinds_eight_sizes_and_twenty_training_sets(study):
    assert [source.key for source in study.sources] == list(KINDS)
    design = study.design
    assert len(design.sizes) == 8
    assert (min(design.sizes), max(design.sizes)) == (20, 20_000)
    assert design.replicates == 10
    sets = {one.key: design.n_sets(one.key) for one in study.learners}
    once = {"boosting", "boosting_leaf5", "prior", "truth"}
    assert {key for key, number in sets.items() if number == 1} == once
    assert set(sets.values()) == {1, 20}


@pytest.mark.slow
def test_the_tables_of_the_notes_are_made_from_a_store(small, tmp_path):
    def without(pairs):
        return [pair for pair in pairs if "boosting" not in " ".join(pair)]

    named = {source: without(pairs) for source, pairs in SCRIPT["NAMED"].items()}
    SCRIPT["paired"].__globals__.update(NAMED=named, PAIRS=without(SCRIPT["PAIRS"]))
    store = tmp_path / "small.db"
    run(small, store, n_jobs=2)
    found = list(SCRIPT["sections"](store, small, tmp_path, 1))
    heads = [text.splitlines()[0].removeprefix("### ") for text in found]
    assert heads == [head.replace("20000", "3000") for head in HEADS]  # the largest size
    learners = {one.key for one in small.learners} - {"prior", "truth"}
    losses = next(text for text in found if text.startswith("### KL to the truth"))
    assert {line.split(" | ")[0].strip("| ") for line in losses.splitlines()[4:]} == learners | {"prior"}
    parts = pd.read_csv(tmp_path / "small.parts.csv")
    total = parts["bias_corrected"] + parts["variance_corrected"]
    assert (total - parts["loss"]).abs().max() < 1e-10
    for name in ("map", "loss", "parts"):
        assert (tmp_path / f"learner_bias_{name}.png").stat().st_size > 10_000
        assert f"learner_bias_{name}.png" in NOTES


def test_intervals_in_the_text_are_those_of_the_tables():
    text, tables = NOTES.split("<!-- generated -->")
    intervals = re.findall(r"\d+\.\d+\s±\s\d+\.\d+", text)
    assert len(intervals) > 20
    for one in intervals:
        assert re.sub(r"\s+", " ", one) in tables, one
    sizes = [" ".join(one.split()) for one in re.findall(r"\d+\s\(\d+\sto\s\d+\)", text)]
    assert len(sizes) > 5
    for one in sizes:
        assert one in tables, one
