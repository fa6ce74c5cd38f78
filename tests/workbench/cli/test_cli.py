"""The command line: what it prints, and how it ends."""

import importlib.metadata
import inspect
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import workbench
import workbench.store.schema
from learners import PriorClassifier
from tests.marks import need
from workbench.base import catalogue
from workbench.base.names import learner_name
from workbench.cli.app import app
from workbench.designs import HalfSplits
from workbench.engine import dry_run
from workbench.estimators.learner_facts import facts_of
from workbench.study.dataset_source import DatasetSource
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.study import Study


def call(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.fixture
def invoke(tmp_path, tiny_toml, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(tiny_toml, encoding="utf-8")
    return call


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """Return a folder for stores that are made once and copied."""
    return tmp_path_factory.mktemp("stores")


@pytest.fixture
def ran(invoke, stores):
    """Return a function that puts the store of tiny.toml, as it is now, into the folder."""

    def put(name="tiny"):
        text = Path("tiny.toml").read_text(encoding="utf-8").replace('"tiny"', f'"{name}"')
        store = stores / f"{sha256(text.encode()).hexdigest()}.db"
        if not store.exists():
            (stores / "s.toml").write_text(text, encoding="utf-8")
            assert call("run", stores / "s.toml", "--store", store).exit_code in (0, 1)
        shutil.copy(store, f"{name}.db")

    return put


@pytest.mark.slow
def test_a_run_ends_with_the_table_and_again_computes_nothing(invoke):
    first = invoke("run", "tiny.toml", "--store", "new/s.db")
    assert first.exit_code == 0, first.stderr
    assert "TAN: 3 replicates" in first.stdout
    assert "18 cells computed, 0 already there, 0 failed; store new/s.db" in first.stdout
    second = invoke("run", "tiny.toml", "--store", "new/s.db")
    assert second.exit_code == 0
    assert "0 cells computed, 18 already there, 0 failed" in second.stdout
    assert second.stdout.splitlines()[:-1] == first.stdout.splitlines()[:-1]


def test_a_dry_run_does_nothing(invoke):
    result = invoke("run", "tiny.toml", "--dry-run")
    lines = result.stdout.splitlines()
    assert [re.split(r"\s{2,}", line)[:3] for line in lines[1:-1]] == [
        [name, "6", "0"] for name in ("CART", "class prior", "truth")
    ]
    assert lines[-1].startswith("18 cells to compute, 0 already there, ")
    assert re.search(r"timed on [12] training set", lines[-1])
    assert not Path("tiny.db").exists()
    invoke("run", "tiny.toml")
    assert "0 cells to compute, 18 already there" in invoke("run", "tiny.toml", "--dry-run").stdout


def test_status_tells_how_far_a_store_is(invoke, ran):
    ran()
    result = invoke("status", "tiny.db")
    assert result.exit_code == 0
    assert result.stdout == "study tiny, seed 1: 18 cells, 1 run\n  18 done\n"


def test_status_tells_why_cells_of_earlier_runs_are_not_shown(invoke, tmp_path):
    study = 'name = "s"\nseed = 1\nlearners = [{}]\n[[sources]]\ndataset = "t.csv"\n'
    study += '[design]\nkind = "half_splits"\n'
    rows = [f"{i % 3},{i % 2}" for i in range(20)]

    def status(learners, rows):
        Path("s.toml").write_text(study.format(learners), encoding="utf-8")
        Path("t.csv").write_text("\n".join(["x,y", *rows, ""]), encoding="utf-8")
        assert invoke("run", "s.toml").exit_code == 0
        return invoke("status", "s.db").stdout.splitlines()

    nb = '{ key = "nb", learner = "nb", alpha = %s }'
    assert len(status(f'{nb % 1.0}, "prior"', rows)) == 2
    *_, line = status(f'{nb % 2.0}, "prior"', rows)
    assert line == "25 cells of earlier runs are kept and not shown: learner nb has other parameters"
    *_, line = status(nb % 2.0, rows[:-1])
    assert line.startswith("75 cells of earlier runs are kept and not shown: source t has other rows; ")
    assert "learner prior is no longer in the study" in line


def test_status_and_run_tell_which_scores_are_missing(invoke, ran, tiny_toml):
    ran()
    Path("tiny.toml").write_text(tiny_toml.replace('"accuracy"', '"log_loss"'), encoding="utf-8")
    for result in (invoke("run", "tiny.toml"), invoke("status", "tiny.db")):
        assert "18 done cells have no log loss (exact, clipped as in 2002)" in result.stdout
        assert "add them from the stored predictions: workbench score tiny.db --metric log_loss" in (
            result.stdout
        )
        assert "exact scores cannot be added to cells that are done" in result.stdout


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("analyze", "best", "--learners", "nb,tan"), "TAN "),
        (("analyze", "sample-size", "--share", "0.5"), "50%"),
        (("analyze", "crossovers", "--pair", "nb,tan"), "TAN"),
    ],
)
def test_what_is_asked_of_a_store_goes_by_its_score(small_store, words, found):
    command, options = words[:2], words[2:]
    exact = call(*command, small_store, *options)
    assert exact.exit_code == 0, exact.output
    assert found in exact.stdout
    assert call(*command, small_store, *options, "--score", "ir_b/marginal/exact").stdout == exact.stdout
    wrong = call(*command, small_store, *options, "--score", "ir_c")
    assert wrong.exit_code == 2
    assert "unknown metric 'ir_c'" in wrong.stderr


def test_failed_cells_are_reported_and_end_with_code_1(invoke, tiny_toml):
    Path("tiny.toml").write_text(
        tiny_toml.replace('"cart"', '{learner = "cart", max_depth = 0}'), encoding="utf-8"
    )
    result = invoke("run", "tiny.toml")
    assert result.exit_code == 1
    assert "18 cells computed, 0 already there, 5 failed" in result.stdout
    assert "CART on tan (5 cells): InvalidParameterError" in result.stdout
    dry = invoke("run", "tiny.toml", "--dry-run")
    assert dry.stdout.endswith("\n0 cells to compute, 18 already there; nothing was kept\n")
    dry = invoke("run", "tiny.toml", "--dry-run", "--retry", "failed")
    assert "\n5 cells to compute, 13 already there, " in dry.stdout
    again = invoke("run", "tiny.toml", "--retry", "failed")
    assert "5 cells computed, 13 already there, 5 failed" in again.stdout


def test_a_store_that_may_not_be_written_is_reported(invoke, ran, monkeypatch):
    ran()
    connect = workbench.store.schema.connect

    def query_only(path):
        connection = connect(path)
        connection.execute("PRAGMA query_only = ON")
        return connection

    monkeypatch.setattr(workbench.store.schema, "connect", query_only)
    result = invoke("run", "tiny.toml")
    assert result.exit_code == 2
    assert "tiny.db cannot be written (attempt to write a readonly database): make it" in result.stderr


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["run", "nowhere.toml"], "there is no study file nowhere.toml"),
        (
            ["run", "tiny.toml", "--store", "other.db"],
            "is the store of study 'other'",
        ),
        (["run", "tiny.toml", "--jobs", "0"], "n_jobs is 0: expected a number of processes"),
        (["status", "."], "is a folder: a store is a file"),
        (["run", "no_truth.toml"], "there is no truth file nope.json"),
        (["run", "empty.toml"], "source 'tan' cannot draw a truth with generator 'tan': "),
        (
            ["status", "damaged.db"],
            "damaged.db is damaged",
        ),
        (["run", "tiny.toml", "--retry", "done"], "cells that are 'done' cannot be retried"),
        (["status", "nowhere.db"], "there is no store nowhere.db"),
        (["export", "other.db", "--to", "x.doc"], "x.doc ends in '.doc'"),
        (["analyze", "bias"], "give the store of a study, or --refit STUDY.toml to fit it again"),
        (["analyze", "bias", "other.db", "--refit", "tiny.toml"], "to fit it again, not both"),
        (["analyze", "bias", "--refit", "tiny.toml"], "training_sets of the design is 1: "),
        (["list", "learner"], "unknown family 'learner'; did you mean 'learners'?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence_and_code_2(invoke, ran, tiny_toml, arguments, sentence):
    Path("other.toml").write_text(tiny_toml.replace('"tiny"', '"other"'), encoding="utf-8")
    ran("other")
    no_truth = tiny_toml.replace('generator = "tan"\nn_attributes = 2\narity = [2, 3]', 'file = "nope.json"')
    Path("no_truth.toml").write_text(no_truth, encoding="utf-8")
    empty = tiny_toml.replace("n_attributes = 2", "n_attributes = 0")
    Path("empty.toml").write_text(empty, encoding="utf-8")
    content = Path("other.db").read_bytes()
    Path("damaged.db").write_bytes(content[:8192] + b"\xff" * (len(content) - 8192))
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("workbench: ")
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.slow
def test_bias_fits_again_where_a_store_kept_nothing(invoke, tiny_toml):
    text = tiny_toml.replace("n_test = 50", "n_test = 50\ntraining_sets = 2")
    Path("tiny.toml").write_text("keep_predictions = false\n" + text, encoding="utf-8")
    assert invoke("run", "tiny.toml").exit_code == 0
    bare = invoke("analyze", "bias", "tiny.db")
    assert bare.exit_code == 2
    assert "`workbench analyze bias --refit STUDY.toml`" in bare.stderr
    inputs = invoke("analyze", "bias", "--refit", "tiny.toml", "--learners", "cart,prior", "--jobs", "2")
    assert inputs.exit_code == 0, inputs.stderr
    assert inputs.stdout.startswith("KL divergence from the truth [bits], 2 training sets, over all inputs\n")
    assert "24 cells to compute" in inputs.stderr
    sample = invoke(
        "analyze", "bias", "--refit", "tiny.toml", "--score", "quadratic_loss//test", "--source", "tan"
    )
    assert sample.stdout.startswith(
        "quadratic loss above the truth's [loss], 2 training sets, on test rows\n"
    )
    assert not Path("tiny.toml.db").exists()


def test_a_key_that_a_package_repeats_is_named_below_the_table(invoke, monkeypatch):
    assert "ignored:" not in invoke("list", "learners").stdout
    place = "sklearn.naive_bayes:BernoulliNB"
    points = [importlib.metadata.EntryPoint("nb", place, "workbench.learners")]
    found = importlib.metadata.entry_points
    monkeypatch.setattr(
        importlib.metadata,
        "entry_points",
        lambda **asked: points if asked == {"group": "workbench.learners"} else found(**asked),
    )
    said = f"'nb' is the built-in one; ignored: {place}, with the same key"
    for arguments in (["list", "learners"], ["list"]):
        assert invoke(*arguments).stdout.splitlines().count(said) == 1


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


@pytest.mark.parametrize("width", [80])
def test_the_table_of_learners_fits_the_terminal_and_cuts_nothing_off(invoke, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    result = invoke("list", "learners")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert max(map(len, lines)) <= width
    assert "…" not in result.stdout
    assert len(lines) <= 100
    for key in catalogue.keys("learners"):
        fact = facts_of(key)
        (line,) = (line for line in lines if line.startswith(f"{key} "))
        assert line.split() == [key, *fact.numbers.split(), *fact.missing.split(), *fact.weights.split()]


def test_the_list_of_generators_fits_the_terminal_and_says_what_all_take(invoke, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = invoke("list", "generators").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    last = [line.split()[0] for line in lines[lines.index("every generator also takes, as a source:") + 1 :]]
    assert {"label_noise", "missing", "bayes_error"} <= {*last}


def test_of_a_learner_that_is_not_installed_it_is_said_how_to_install_it(invoke, monkeypatch):
    place = catalogue.Elsewhere("not_there:CatBoostClassifier")
    monkeypatch.setattr(catalogue, "_own", lambda family: {"catboost": place})
    catalogue.find.cache_clear()
    said = " ".join(invoke("list", "learners", "catboost").stdout.split())
    catalogue.find.cache_clear()
    assert "class: CatBoostClassifier" in said
    assert "pip install not_there" in said


@pytest.mark.parametrize("key", catalogue.keys("learners"))
def test_of_a_learner_its_paper_facts_and_parameters_are_told(invoke, key):
    need(key)
    said = " ".join(invoke("list", "learners", key).stdout.split())
    fact = facts_of(key)
    assert all(word in said for word in (fact.title, fact.numbers, fact.missing, *fact.also, fact.limit))
    made = catalogue.find("learners", key)
    fixed = made.keywords if isinstance(made, partial) else {}
    for name, own in inspect.signature(made).parameters.items():
        assert (f" {name} (" in said) == (name not in fixed and own.kind is not own.VAR_KEYWORD)


@pytest.mark.parametrize("family", ["generators", "metrics", "designs", "figures"])
def test_of_a_member_each_parameter_has_a_meaning(invoke, family):
    for key in catalogue.keys(family):
        lines = invoke("list", family, key).stdout.splitlines()
        heads = [i for i, line in enumerate(lines) if line.startswith("  ") and line[2] != " "]
        assert all(lines[i + 1].startswith("  ") for i in heads), key


def test_parameters_of_another_docstring_are_spelled_out(invoke):
    said = " ".join(invoke("list", "generators", "kdb").stdout.split())
    assert "n_attributes (int or (low, high), default=(3, 7)) Number of attributes" in said
    assert "As for" not in said


def test_export_writes_all_scores(invoke, ran):
    ran()
    result = invoke("export", "tiny.db", "--to", "scores.csv")
    n_rows = 18 * (8 + 4 + 4)
    assert result.stdout == f"{n_rows} rows written to scores.csv\n"
    assert len(Path("scores.csv").read_text(encoding="utf-8").splitlines()) == n_rows + 1


def test_progress_is_plain_lines_where_stderr_is_no_terminal(invoke):
    lines = invoke("run", "tiny.toml").stderr.splitlines()
    assert [line for line in lines if "kernels" not in line] == [
        "CART: one-hot, 5 columns from 2",
        "class prior, truth: a table of 2 columns, 2 of them categorical",
        "18 cells to compute, 0 already there",
    ]


@pytest.mark.process
def test_the_package_is_the_command_line_and_ends_quietly_where_nobody_reads(tmp_path):
    root = str(Path(workbench.__file__).resolve().parents[1])
    command = [sys.executable, "-m", "workbench", "list", "datasets", "--data", str(tmp_path)]
    process = subprocess.Popen(
        command,
        env={"PYTHONPATH": root, "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    with process:
        assert process.stderr.read() == b""
    assert process.returncode not in (0, 2)


OWN = """
name = "own"
seed = 1
learners = ["nb"]
[[sources]]
dataset = "own.csv"
[design]
kind = "half_splits"
repeats = 2
[scores]
metrics = ["accuracy"]
rows = ["test"]
"""


@pytest.fixture
def own(invoke):
    """Write a study of a file with two integer columns."""
    Path("own.csv").write_text("k,m,class\n" + "1,1,u\n2,1,v\n3,2,u\n1,2,v\n" * 6, encoding="utf-8")
    Path("own.toml").write_text(OWN, encoding="utf-8")


def test_integer_columns_are_reported_in_a_plain_line_that_names_the_option(invoke, own):
    result = invoke("run", "own.toml")
    assert result.exit_code == 0
    warned, *lines = result.stderr.splitlines()
    assert re.search(r"columns 'k', 'm' hold integers .* nominal = \[\"k\", \"m\"\]", warned)
    assert [line for line in lines if "kernels" not in line] == [
        "class of own: 'class', the last column: u and v",
        "naive Bayes: a table of 2 columns, all numeric",
        "2 cells to compute, 0 already there",
    ]
    text = OWN.replace('"own.csv"', '"own.csv"\nnominal = ["k", "m"]')
    Path("own.toml").write_text(text, encoding="utf-8")
    assert (
        "naive Bayes: a table of 2 columns, 2 of them categorical"
        in invoke("run", "own.toml").stderr.splitlines()
    )


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ('["nb"]', '["nb", "truth"]', "learner 'truth' forecasts with the generating model"),
        ('"own.csv"', '"own.csv"\nclass = "h"', 'name another as the class (class = "..." in a study'),
        ('"own.csv"', '"latin.csv"', 'such as latin-1 (encoding = "latin-1" in a study'),
        ('"own.csv"', '"bare.csv"', "bare.csv has no column besides the class"),
        ('"own.csv"', '"short.csv"', "short.csv, line 3: the row has 1 value: expected 2"),
        ('"half_splits"', '"half_splits"\nstratified = "yes"', "stratified is 'yes': expected true or false"),
    ],
)
def test_tables_that_cannot_be_used_are_one_sentence_in_words_of_the_command_line(
    invoke, own, old, new, sentence
):
    Path("latin.csv").write_bytes(b"a,class\n\xc3\xa9,u\n\xe9,v\n")
    Path("bare.csv").write_text("class\nu\nv\nu\nv\n", encoding="utf-8")
    Path("short.csv").write_text("a,class\n1,u\n2\n", encoding="utf-8")
    Path("own.csv").write_text("h,class\n0.5,u\n1.5,v\n2.5,u\n3.5,v\n", encoding="utf-8")
    Path("own.toml").write_text(OWN.replace(old, new), encoding="utf-8")
    result = invoke("run", "own.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("workbench: ")
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert not Path("own.db").exists()


def test_nothing_heavy_is_imported_before_it_is_needed():
    heavy = ("pandas", "sklearn", "numba", "matplotlib", "scipy", "joblib", "pgmpy")
    code = f"import sys, workbench.cli.app; print([name for name in {heavy} if name in sys.modules])"
    place = {"PYTHONPATH": str(Path(workbench.__file__).resolve().parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=place, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.fixture
def two(tiny_toml):
    """Make the study one of two learners that are compared, in addition to the yardsticks."""
    Path("tiny.toml").write_text(tiny_toml.replace('"cart"', '"nb", "tan"'), encoding="utf-8")


def test_a_run_ends_with_the_answer_and_the_report(invoke, two, sketched):
    result = invoke("run", "tiny.toml", "--report", "new/page.html")
    assert result.exit_code == 0
    answer, report, last = result.stdout.splitlines()[-3:]
    assert answer == workbench.load("tiny.db").answer()
    assert answer.startswith("By IR_B (exact, marginal prior), on TAN truths, ")
    assert report == "report: new/page.html"
    assert last == "24 cells computed, 0 already there, 0 failed; store tiny.db"
    assert Path("new/page.html").is_file()


def test_a_run_of_one_learner_says_why_there_is_no_winner(invoke):
    lines = invoke("run", "tiny.toml").stdout.splitlines()
    assert lines[-2].startswith("there is no winner: on TAN truths too few learners can be compared")


def test_a_report_that_cannot_be_written_loses_no_results(invoke, tiny_toml):
    few = tiny_toml.replace("replicates = 3", "replicates = 1").replace('"ir_b", "accuracy", ', "")
    Path("tiny.toml").write_text(few.replace('"none", "2002"', '"none"'), encoding="utf-8")
    Path("file").touch()
    result = invoke("run", "tiny.toml", "--report", "file/page.csv")
    assert "no report: file/page.csv" in result.stdout
    assert "6 cells computed" in result.stdout
    assert len(workbench.load("tiny.db").cells()) == 6


@pytest.mark.slow
def test_a_report_stands_next_to_its_store_by_default(invoke, ran, two):
    ran("s")
    Path("new").mkdir()
    shutil.move("s.db", "new/s.db")
    result = invoke("report", "new/s.db")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [workbench.load("new/s.db").answer(), "report: new/s.html"]
    assert Path("new/s.html").is_file()


@pytest.mark.parametrize("dry", [[], ["--dry-run"]], ids=["run", "dry run"])
def test_another_ending_is_reported_before_anything_is_computed(invoke, dry):
    result = invoke("run", "tiny.toml", "--report", "a.html", "--report", "b.doc", *dry)
    assert result.exit_code == 2
    assert result.stderr == "workbench: b.doc ends in '.doc': expected .html, .md, .tex, .csv\n"
    assert [path.name for path in Path().iterdir()] == ["tiny.toml"]


def test_compare_prints_means_marks_counts_and_what_they_mean(invoke, ran, two):
    ran()
    result = invoke("compare", "tiny.db", "--base", "prior", "--score", "kl_divergence")
    assert result.exit_code == 0
    title, head, first, second, counts, _, *legend = result.stdout.splitlines()
    assert head.split() == ["truths", "rows", "class", "prior", "naive", "Bayes", "TAN"]
    found = workbench.load("tiny.db").table("kl_divergence")
    for line, size in ((first, 20), (second, 40)):
        source, rows, *cells = [word for word in line.split() if word not in ("v", "*")]
        assert (source, rows) == ("TAN", str(size))
        assert cells == [f"{found.loc[('tan', key), size]['mean']:.4f}" for key in ("prior", "nb", "tan")]
    assert counts.split()[:2] == ["(v/", "/*)"]
    assert [sum(map(int, word.strip("()").split("/"))) for word in counts.split()[2:]] == [2, 2]
    assert title == "KL divergence (exact): bits, lower is better"
    assert legend == [
        "v: better than class prior, *: worse, by the paired t test over truths at 5%,",
        "with Holm's correction within each kind of truth",
        "(v/ /*): numbers of kinds of truth and sizes with each mark",
        "in no test: truth",
    ]


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["--base", "pior"], "unknown learner 'pior'; did you mean 'prior'?"),
        (["--base", "nb", "--learners", "tann"], "unknown learner 'tann'; did you mean 'tan'?"),
        (
            ["--base", "nb", "--learners", "nb"],
            "there is no learner to compare with nb on tan: name at least one",
        ),
        (["--base", "nb", "--score", "irb"], "unknown metric 'irb'; did you mean 'ir_b'?"),
        (["--base", "nb", "--score", "//exakt"], "unknown rows 'exakt' in score '//exakt'; did you mean"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_compared_is_one_sentence_and_code_2(invoke, ran, two, options, sentence):
    ran()
    result = invoke("compare", "tiny.db", *options)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"workbench: {sentence}")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.fixture(scope="module")
def tables(stores):
    """Return a store of three learners on two data sets."""
    from sklearn.datasets import load_iris, load_wine

    from learners import NaiveBayesClassifier, PriorClassifier, TANClassifier

    learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "prior": PriorClassifier()}
    rows = {
        "iris": load_iris(return_X_y=True, as_frame=True),
        "wine": load_wine(return_X_y=True, as_frame=True),
    }
    return workbench.compare(learners, on=rows, metrics=("accuracy", "ir_b"), store=stores / "tables.db")


@pytest.fixture
def on_datasets(invoke, stores, tables):
    """Put that store into the folder as `tables.db`."""
    shutil.copy(stores / "tables.db", "tables.db")
    return tables


def test_compare_prints_every_pair_on_every_table_by_every_metric(invoke, on_datasets):
    result = invoke("compare", "tables.db")
    assert result.exit_code == 0
    blocks = result.stdout.split("\n\n")
    assert [block.splitlines()[0] for block in blocks[:2]] == [
        "accuracy (test rows): share of samples, higher is better",
        "IR_B (test rows, training prior): bits, higher is better",
    ]
    for block, metric in zip(blocks, ("accuracy", "ir_b"), strict=False):
        _, head, *lines, counts = block.splitlines()
        assert (
            " ".join(head.split()) == "data set pair difference t p F p of F p (Holm) p (Bonferroni) better"
        )
        for line, row in zip(lines, on_datasets.differences(metric).itertuples(), strict=True):
            source, pair, difference, *_, p_holm, _, _ = re.split(r"\s{2,}", line)
            assert (source, pair) == (row.source, f"{learner_name(row.learner)} - {learner_name(row.other)}")
            assert difference == f"{row.difference:.4f}"
            assert p_holm == (f"{row.p_holm:.4f}" if row.p_holm >= 0.0001 else "<0.0001")
        assert counts.startswith("wins/ties/losses: naive Bayes ")
    assert "Alpaydin's combined 5x2cv F test at 5% with Holm's correction" in blocks[2]


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["--base", "pior"], "unknown learner 'pior'; did you mean 'prior'?"),
        (["--base", "nb", "--learners", "nb"], "there is no learner to compare with nb: name at least one"),
        (
            ["--uncorrected"],
            "--uncorrected is for the comparison with a base: give --base LEARNER without --test",
        ),
        (["--score", "acuracy"], "unknown metric 'acuracy'; did you mean 'accuracy'?"),
        (["--score", "//exact"], "these results have no score 'accuracy//exact': choose one of accuracy/"),
    ],
)
def test_what_cannot_be_compared_on_tables_is_one_sentence_and_code_2(invoke, on_datasets, options, sentence):
    result = invoke("compare", "tables.db", *options)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"workbench: {sentence}")
    assert result.stdout == ""


def test_truths_need_a_base(invoke, ran, two):
    ran()
    result = invoke("compare", "tiny.db")
    assert result.exit_code == 2
    assert (
        result.stderr
        == "workbench: tiny.db is a study of truths: name the learner to compare with, --base LEARNER\n"
    )


def test_a_dry_run_uses_the_times_of_the_store_and_keeps_nothing(invoke, ran, tiny_toml, monkeypatch):
    ran()
    still = SimpleNamespace(monotonic=lambda: 0.0, perf_counter=lambda: 0.0)
    monkeypatch.setattr(dry_run, "time", still)
    monkeypatch.setattr(dry_run, "_wall_time", lambda outcome: 0.0)
    with sqlite3.connect("tiny.db") as connection:
        connection.execute("UPDATE cells SET fit_seconds = 1000, predict_seconds = 0, score_seconds = 0")
    connection.close()
    more = tiny_toml.replace("replicates = 3", "replicates = 5").replace("[20, 40]", "[20, 40, 80]")
    Path("tiny.toml").write_text(more, encoding="utf-8")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    result = invoke("run", "tiny.toml", "--dry-run", "--jobs", "2")
    assert result.exit_code == 0
    rows = [re.split(r"\s{2,}", line) for line in result.stdout.splitlines()[1:-1]]
    assert [row[:3] for row in rows] == [[name, "9", "6"] for name in ("CART", "class prior", "truth")]
    assert [float(row[3]) for row in rows] == [4000.0] * 3  # two truths at two sizes; 80 rows are timed now
    last = result.stdout.splitlines()[-1]
    assert last == (
        "27 cells to compute, 18 already there, about 1:40:00 of computing with 2 jobs, "
        "without start and report (timed on 1 training set); nothing was kept"
    )
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before
    Path("tiny.toml").write_text(more.replace("[20, 40, 80]", "[20, 40]"), encoding="utf-8")
    last = invoke("run", "tiny.toml", "--dry-run").stdout.splitlines()[-1]
    assert last.endswith(
        ", about 3:20:00 of computing with 1 job, without start and report (timed by earlier cells); "
        "nothing was kept"
    )


class Refusing(PriorClassifier):
    """Refuse what has more than two attributes."""

    def fit(self, X, y):
        if X.shape[1] > 2:
            raise ValueError("too many attributes")
        return super().fit(X, y)


@pytest.mark.parametrize("patience, seconds, guessed", [(1e9, 0.5, 0), (-1.0, 10.5, 1)])
def test_a_dry_run_takes_refusals_for_what_they_take(tmp_path, monkeypatch, patience, seconds, guessed):
    monkeypatch.setattr(dry_run, "PATIENCE", patience)
    monkeypatch.setattr(dry_run, "_wall_time", lambda outcome: 0.25 * (outcome.state == "done"))
    small = (pd.DataFrame({"a": np.arange(20.0)}), list("uv") * 10)
    large = (pd.DataFrame({name: np.arange(400.0) for name in "abc"}), list("uv") * 200)
    sources = (DatasetSource("large", rows=large), DatasetSource("small", rows=small))
    learners = (LearnerSpec("refusing", estimator=Refusing()),)
    scores = Scores(("accuracy",), rows=("test",))
    found = dry_run.dry_run(Study("s", 1, sources, learners, HalfSplits(2), scores), tmp_path / "s.db")
    assert found.guessed == guessed
    assert found.table["seconds"].tolist() == [seconds]


def test_correlations_take_method_direction_source_and_level(invoke, ran):
    ran()
    asked = (
        "analyze",
        "correlations",
        "tiny.db",
        "--metrics",
        "accuracy,kl_divergence",
        "--learners",
        "cart,prior",
    )
    plain = invoke(*asked)
    assert plain.stdout.startswith("accuracy (exact); KL divergence (exact, clipped as in 2002)\n")
    assert "Pearson's correlation over the truths at each size, of the scores as measured" in plain.stdout
    other = invoke(*asked, "--method", "spearman", "--aligned", "--source", "tan", "--level", "0.9")
    assert "Spearman's rank correlation over the truths at each size, aligned so that" in other.stdout
    assert "in brackets the single 90% intervals, from 4 on; n: truths" in other.stdout
    rows = [line.split() for line in other.stdout.splitlines() if line.startswith("TAN, ")]
    assert [row[:4] for row in rows] == [["TAN,", "20", "rows", "3"], ["TAN,", "40", "rows", "3"]]
    for options, message in (
        (("--method", "person"), "workbench: unknown method 'person'; did you mean 'pearson'?"),
        (("--level", "2"), "workbench: level is 2.0: give a number between 0 and 1"),
        (("--source", "tam"), "workbench: unknown source 'tam'; did you mean 'tan'?"),
    ):
        failed = invoke(*asked, *options)
        assert failed.exit_code == 2
        assert failed.stderr.startswith(message)


@pytest.mark.process
def test_a_study_file_names_modules_of_the_current_folder(tmp_path):
    (tmp_path / "my_pipes.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\n"
        "from sklearn.pipeline import make_pipeline\n"
        "from sklearn.preprocessing import StandardScaler\n"
        "def scaled():\n"
        "    return make_pipeline(StandardScaler(), GaussianNB())\n"
    )
    (tmp_path / "own.toml").write_text(
        'name = "own"\nseed = 1\nlearners = ["nb", {key = "scaled", learner = "my_pipes:scaled"}]\n'
        '[[sources]]\ndataset = "iris"\n[design]\nkind = "repeated_folds"\nfolds = 2\nrepeats = 1\n'
    )
    root = str(Path(workbench.__file__).resolve().parents[1])
    script = "import sys; sys.path.remove(''); from workbench.cli.app import main; main()"
    for start in (["-m", "workbench"], ["-c", script]):
        done = subprocess.run(
            [sys.executable, *start, "run", "own.toml", "--jobs", "2", "--store", f"{start[0]}.db"],
            cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": root},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "scaled: an array of 4 columns, all numeric" in done.stderr


def test_what_lies_beside_a_store_does_not_run(invoke, ran, tmp_path, monkeypatch):
    (tmp_path / "bottleneck.py").write_text("raise SystemExit('ran')")  # which pandas imports if it is there
    monkeypatch.chdir(tmp_path)
    ran()
    before = list(sys.path)
    assert invoke("status", "tiny.db").exit_code == 0
    assert sys.path == before


def test_a_dry_run_tells_which_learners_fail(invoke, tmp_path):
    (tmp_path / "k.toml").write_text(
        'name = "k"\nseed = 1\nlearners = ["prior", {key = "knn", learner = '
        '"sklearn.neighbors:KNeighborsClassifier"}]\n[[sources]]\nkey = "holes"\ndataset = "holes.csv"\n'
        'class = "kind"\n[design]\nkind = "repeated_folds"\nfolds = 2\nrepeats = 1\n'
    )
    lines = [f"{i},{'' if i % 3 else i},{'ab'[i % 2]}" for i in range(40)]
    (tmp_path / "holes.csv").write_text("\n".join(["x,z,kind", *lines]))
    told = invoke("run", tmp_path / "k.toml", "--data", tmp_path, "--dry-run").stdout
    assert "knn fails on holes: ValueError: Input X contains NaN" in told
    assert "prior fails" not in told


def test_the_table_of_a_base_is_written_as_latex_and_markdown(invoke, on_datasets):
    assert invoke("compare", "tables.db", "--base", "nb", "--to", "a.tex").exit_code == 0
    text = Path("a.tex").read_text()
    assert text.startswith("% ")
    assert "(v/ /*)" in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") > 0
    assert all(line.startswith(("%", "\\")) or line.endswith(r"\\") for line in text.splitlines() if line)
    invoke("compare", "tables.db", "--score", "acc", "--to", "a.md")
    assert "| data set | pair |" in Path("a.md").read_text()
    assert "expected .tex or .md" in invoke("compare", "tables.db", "--to", "a.doc").stderr
