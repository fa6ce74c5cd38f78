"""The notes on learner bias: what the study has, and that their tables are made from any run of it."""

import re
import runpy
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from generators.suites.suite import suite
from workbench import read_study, run

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "learner_bias"
SCRIPT = runpy.run_path(str(FOLDER / "write_notes.py"))
NOTES = (FOLDER / "notes.md").read_text(encoding="utf-8")
HEADS = re.findall(r"^### (.+)$", NOTES, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def study():
    return read_study(FOLDER / "study.toml")


@pytest.fixture(scope="module")
def small(study):
    """Return the study with few truths, sizes and sets, and without the slowest learner."""
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
    assert [source.key for source in study.sources] == list(suite("bias-v1").kinds)
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
    run(small, store)
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


def rows_of(head: str) -> dict[str, dict[str, str]]:
    """Read a table of the notes: its cells by row and column; rows by all columns of words."""
    (part,) = re.findall(
        rf"^### {re.escape(head)}[^\n]*\n\n(.+?)(?:\n\n|\Z)", NOTES, flags=re.DOTALL | re.MULTILINE
    )
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()]
    n_words = sum(cell == "---" for cell in lines[1])
    names = lines[0][n_words:]
    return {" ".join(row[:n_words]): dict(zip(names, row[n_words:], strict=True)) for row in lines[2:]}


#: What the text says of each difference: table, row, columns, in the order of the sentences.
SAID = {
    "Differences of KL": [
        ("naive_bayes nb − camml_average", "50", "400"),
        ("tan tan − camml_average", "20"),
        ("aode aode − a2de", "150", "20000"),
        ("kdb kdb − camml_average", "400"),
        ("all kinds aode − camml_average", "20", "150", "1000"),
        ("all kinds camml − camml_average", "20", "50", "150", "400", "1000"),
        ("all kinds c45 − mml_tree", "50"),
        ("gaussian_naive_bayes nb − camml_average", "50", "20000"),
    ],
    "Bias at 20000 rows": [("aode", "aode"), ("kdb", "kdb")],
    "Bias and variance over all kinds": [
        ("camml_average", "variance, 50 rows", "bias, 50 rows"),
        ("camml", "variance, 50 rows", "bias, 50 rows"),
        ("mml_tree", "variance, 50 rows", "bias, 50 rows"),
        ("c45", "variance, 50 rows", "bias, 50 rows"),
        ("a2de", "bias, 400 rows", "variance, 400 rows"),
        ("aode", "bias, 400 rows", "variance, 400 rows"),
        ("cart", "bias, 400 rows", "bias, 50 rows"),
    ],
    "Rows needed for 90%": [
        ("nb", "naive_bayes"), ("camml_average", "naive_bayes", "decision_tree"),
        ("mml_tree", "naive_bayes", "decision_tree"), ("c45", "decision_tree"), ("camml", "decision_tree"),
    ],
}  # fmt: skip
INTERVAL = r"\d+(?:\.\d+)?(?: ± \d+\.\d+| \(\d+ to \d+\))"


def test_every_interval_in_the_text_is_of_the_cell_that_it_is_said_of():
    text = " ".join(NOTES.split("<!-- generated -->")[0].split())
    cells = {
        rows_of(head)[row][column].removeprefix("−")
        for head, said in SAID.items()
        for row, *columns in said
        for column in columns
    }
    intervals = re.findall(INTERVAL, text)
    assert len(intervals) > 35
    assert [one for one in intervals if one not in cells] == []
    assert [one for one in cells if one not in text] == []


def test_significant_differences_are_as_the_text_says():
    rows = rows_of("Differences of KL")

    def apart(row):
        pairs = [cell.replace("−", "-").split(" ± ") for cell in rows[row].values()]
        return [float(mean) for mean, half in pairs if abs(float(mean)) > float(half)]

    assert len(apart("all kinds camml − camml_average")) == 5  # from 20 to 1000 rows
    assert len(apart("naive_bayes nb − camml_average")) == 4
    assert len(apart("tan tan − camml_average")) == 1
    assert len(apart("aode aode − a2de")) == 8
    assert min(apart("aode aode − a2de")) > 0
    assert len(apart("kdb kdb − camml_average")) == 7  # at 20 rows the other way
    for pair in ("decision_tree c45 − mml_tree", "decision_tree mml_tree − camml", "rules mml_tree − camml"):
        assert apart(pair) == []
    assert len(apart("all kinds c45 − mml_tree")) == 8


def test_the_text_gives_no_number_of_boosting():
    text = NOTES.split("<!-- generated -->")[0]
    assert "**Withdrawn: what this page said about boosting.**" in text
    findings = text.partition("\n## Findings\n")[2].partition("\n## ")[0]
    assert [item for item in findings.split("\n- ") if "oosting" in item.partition(".")[0]] == []
    assert not re.search(rf"boosting[^.]*{INTERVAL}", findings)
