"""The command line: what it prints, and how it ends."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import workbench
from workbench.cli import app


@pytest.fixture
def invoke(tmp_path, tiny_toml, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(tiny_toml, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(app, [str(a) for a in arguments])


def test_a_run_ends_with_the_table_and_again_computes_nothing(invoke):
    first = invoke("run", "tiny.toml", "--store", "new/s.db")
    assert first.exit_code == 0, first.stderr
    assert "tan: 3 replicates" in first.stdout
    assert "18 cells computed, 0 already there, 0 failed; store new/s.db" in first.stdout
    second = invoke("run", "tiny.toml", "--store", "new/s.db")
    assert second.exit_code == 0
    assert "0 cells computed, 18 already there, 0 failed" in second.stdout
    assert second.stdout.splitlines()[:-1] == first.stdout.splitlines()[:-1]


def test_the_store_is_named_after_the_study(invoke):
    assert invoke("run", "tiny.toml").exit_code == 0
    assert Path("tiny.db").is_file()


def test_a_dry_run_does_nothing(invoke):
    result = invoke("run", "tiny.toml", "--dry-run")
    assert result.stdout == "18 cells to compute, 0 already there; nothing was done\n"
    assert not Path("tiny.db").exists()
    invoke("run", "tiny.toml")
    assert "0 cells to compute, 18 already there" in invoke("run", "tiny.toml", "--dry-run").stdout


def test_status_tells_how_far_a_store_is(invoke):
    invoke("run", "tiny.toml")
    result = invoke("status", "tiny.db")
    assert result.exit_code == 0
    assert result.stdout == "study tiny, seed 1: 18 cells, 1 runs\n  18 done\n"


def test_status_and_run_tell_which_scores_are_missing(invoke, tiny_toml):
    invoke("run", "tiny.toml")
    Path("tiny.toml").write_text(tiny_toml.replace('"accuracy"', '"log_loss"'), encoding="utf-8")
    for result in (invoke("run", "tiny.toml"), invoke("status", "tiny.db")):
        assert "18 done cells have no log_loss (prior none, rows exact, cut-off 2002)" in result.stdout
        assert "cells that are done are not computed again" in result.stdout


def test_failed_cells_are_told_and_end_with_code_1(invoke, tiny_toml):
    Path("tiny.toml").write_text(tiny_toml.replace("n_attributes = 2", "n_attributes = 0"), encoding="utf-8")
    result = invoke("run", "tiny.toml")
    assert result.exit_code == 1
    assert "18 cells computed, 0 already there, 18 failed" in result.stdout
    assert "cart on tan 0, 20 rows: ValueError" in result.stdout
    dry = invoke("run", "tiny.toml", "--dry-run")
    assert dry.stdout == "0 cells to compute, 18 already there; nothing was done\n"
    dry = invoke("run", "tiny.toml", "--dry-run", "--retry", "failed")
    assert dry.stdout == "18 cells to compute, 0 already there; nothing was done\n"
    again = invoke("run", "tiny.toml", "--retry", "failed")
    assert "18 cells computed, 0 already there, 18 failed" in again.stdout


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["run", "nowhere.toml"], "there is no study file nowhere.toml"),
        (
            ["run", "tiny.toml", "--store", "other.db"],
            "is the store of study 'other' with seed 1, not of 'tiny'",
        ),
        (["run", "tiny.toml", "--dry-run", "--store", "other.db"], "is the store of study 'other'"),
        (["run", "tiny.toml", "--store", "tiny.toml"], "cannot be read as a store"),
        (["run", "tiny.toml", "--jobs", "0"], "n_jobs is 0: expected a number of processes"),
        (["run", "tiny.toml", "--retry", "done"], "cells that are 'done' cannot be retried"),
        (["run", "tiny.toml", "--dry-run", "--retry", "done"], "cells that are 'done' cannot be retried"),
        (["status", "nowhere.db"], "there is no store nowhere.db"),
        (["export", "other.db", "--to", "x.doc"], "x.doc ends in '.doc'"),
        (["list", "learner"], "'learner' is no family of the catalogue: did you mean 'learners'?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence_and_code_2(invoke, tiny_toml, arguments, sentence):
    Path("other.toml").write_text(tiny_toml.replace('"tiny"', '"other"'), encoding="utf-8")
    invoke("run", "other.toml")
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("workbench: ")
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_list_names_everything_with_a_line_each(invoke):
    result = invoke("list")
    assert result.exit_code == 0
    for word in (
        "learners:",
        "camml",
        "generators:",
        "naive_bayes",
        "metrics:",
        "ir_b",
        "designs:",
        "fresh_samples",
    ):
        assert word in result.stdout
    assert "fresh_samples" not in invoke("list", "learners").stdout


def test_export_writes_all_scores(invoke):
    invoke("run", "tiny.toml")
    result = invoke("export", "tiny.db", "--to", "scores.csv")
    n_rows = 18 * (8 + 4 + 4)
    assert result.stdout == f"{n_rows} rows written to scores.csv\n"
    assert len(Path("scores.csv").read_text(encoding="utf-8").splitlines()) == n_rows + 1


def test_progress_is_plain_lines_where_stderr_is_no_terminal(invoke):
    assert invoke("run", "tiny.toml").stderr == "18 cells to compute, 0 already there\n"


@pytest.mark.parametrize("module", ["workbench", "workbench.cli"])
def test_nothing_heavy_is_imported_before_it_is_needed(module):
    heavy = ("pandas", "sklearn", "numba", "matplotlib", "scipy", "joblib", "pgmpy")
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(Path(workbench.__file__).resolve().parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
