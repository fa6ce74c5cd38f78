"""`workbench compare FOLDER`: the tables of a folder are a study of their own."""

import re
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from workbench.base.errors import WorkbenchError
from workbench.cli.app import app
from workbench.profiles.entrants import on_tables

pytestmark = pytest.mark.slow


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return the current folder, which has a folder of three tables, one with missing numbers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tables").mkdir()
    for i, name in enumerate(("one", "two", "three")):
        rng = np.random.default_rng(i)
        label = rng.integers(0, 2, 40)
        first = np.where(rng.random(40) < 0.1, np.nan, label + rng.normal(size=40))
        frame = pd.DataFrame({"first": first, "class": np.where(label, "yes", "no")})
        frame.to_csv(tmp_path / "tables" / f"{name}.csv", index=False)
    (tmp_path / "tables" / "bad.csv").write_text("", encoding="utf-8")
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, ["compare", *map(str, words)])


def test_learners_are_ranked_over_the_tables_of_a_folder(place):
    done = run("tables", "--learners", "nb,one_r,prior", "--report", "page.html")
    assert done.exit_code == 0, done.output
    assert "bad.csv is left out" in done.stderr
    assert "90 cells to compute" in done.stderr
    assert "3 data sets, mean ranks" in done.stdout
    page = (place / "page.html").read_text(encoding="utf-8")
    assert "Ranks over data sets" in page
    assert (place / "tables.db").exists()
    again = run("tables", "--learners", "nb,one_r,prior", "--base", "nb", "--score", "accuracy")
    assert "90 of 90 cells are in the store" in again.stderr


@pytest.mark.slow
def test_ranks_are_by_the_score_of_the_answer(place):
    done = run("tables", "--learners", "nb,c45,prior")
    lines = done.stdout.splitlines()
    assert any("C4.5" in line and "infinite" in line and "clipped as in 2002" in line for line in lines), (
        lines
    )
    assert "clipped as in 2002" in next(line for line in lines if line.startswith("ranks by"))


@pytest.mark.slow
def test_a_file_adds_learners_with_parameters_and_time_is_limited(place):
    text = '[entrants.smooth]\nlearner = "nb"\nparameters = { smoothing = "laplace" }\n'
    (place / "mine.toml").write_text(text, encoding="utf-8")
    done = run("tables", "--learners", "one_r", "--entrants", "mine.toml", "--time-limit", "60")
    assert done.exit_code == 0, done.output
    with sqlite3.connect(place / "tables.db") as store:
        learners = {key for (key,) in store.execute("SELECT DISTINCT learner FROM cells")}
    assert learners == {"one_r", "smooth"}


@pytest.mark.slow
def test_pairs_are_shown_where_nothing_can_be_ranked(place, monkeypatch):
    def unranked(*_, **__):
        raise WorkbenchError("too few tables")

    monkeypatch.setattr("workbench.analyses.Ranks.of", unranked)
    done = run("tables", "--learners", "nb,one_r")
    assert done.exit_code == 0, done.output
    assert "naive Bayes - 1R" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tables", "--learners", "nb,tam"], "did you mean 'tan'"),
        (["tables", "--learners", "nb,nb"], "'nb' is there twice"),
        (["nowhere.db", "--jobs", "2"], "nowhere.db is no folder"),
        (["nowhere.db", "--time-limit", "9"], "nowhere.db is no folder"),
        (["tables", "--entrants", "nowhere.toml"], "nowhere.toml cannot be read"),
        (["tables", "--learners", "nb,no.such.module:Thing"], "no.such.module:Thing"),
        (["tables", "--learners", "nb,truth"], "unknown learner 'truth'"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(words, said, place):
    done = run(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not (place / "tables.db").exists()


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ("cost", r"needs costs: .*workbench score own\.db --metric '\{ key = .*costs = \{ ill = \{"),
        ("acuracy", r"unknown metric 'acuracy'; did you mean 'accuracy'\?"),
        ("kl_divergence", "tables have no score 'kl_divergence': it needs true probabilities"),
        ("ir_b//exact", "tables have no score 'ir_b//exact': expected one of ir_b/training/test"),
    ],
)
def test_a_score_that_tables_cannot_have_is_refused_before_any_fit(score, said, place):
    done = run("tables", "--learners", "nb,prior", "--score", score, "--store", "own.db")
    assert done.exit_code == 2
    assert re.search(said, done.stderr.replace("\n", " ")), done.stderr
    assert not (place / "own.db").exists()


@pytest.mark.slow
def test_another_known_score_is_computed_from_the_start(place):
    done = run("tables", "--learners", "nb,one_r,prior", "--score", "auc", "--store", "own.db")
    assert done.exit_code == 0, done.output
    assert "By AUC (test rows)" in done.stdout
    costs = "{ no = { no = 0, yes = 1 }, yes = { no = 9, yes = 0 } }"
    table = f'{{ key = "cost", metric = "cost", costs = {costs} }}'
    assert CliRunner().invoke(app, ["score", "own.db", "--metric", table]).exit_code == 0
    again = run("tables", "--learners", "nb,one_r,prior", "--score", "cost", "--store", "own.db")
    assert again.exit_code == 0, again.output
    assert "By cost (test rows)" in again.stdout


def test_learners_that_refuse_missing_numbers_get_them_filled_in():
    X = np.array([[1.0, np.nan], [2.0, np.nan], [np.nan, np.nan], [9.0, np.nan]] * 5)
    fitted = on_tables(["knn", "nb"])["knn"].fit(X, [0, 0, 0, 1] * 5)
    assert fitted.predict(X).tolist() == [0, 0, 0, 1] * 5


def test_a_single_table_has_its_means_and_takes_the_options_of_files(place):
    rows = "".join(
        f"{i};{i % 5},5;{-9 if i % 6 == 0 else i % 11};{'yes' if i % 3 else 'no'}\n" for i in range(90)
    )
    Path("one.csv").write_text(f"id;a;b;class\n{rows}", encoding="utf-8")
    done = run("one.csv", "--class", "class", "--drop", "id", "--missing", "-9", "--learners", "nb,tan")
    assert done.exit_code == 0, done.stderr
    assert "Means on one" in done.stdout
    assert [line.split()[0] for line in done.stdout.splitlines() if "\u00b1" in line][:2] == ["naive", "TAN"]
    assert "one.csv was read semicolon-separated, with a decimal comma" in done.stderr
    assert "id" not in done.stderr.partition("workbench: source")[2].partition("\n")[0]
    assert Path("one.db").exists()
    done = run("tables", "--drop", "id")
    assert done.exit_code == 2
    assert "tables is no table: --drop are for one file of rows" in done.stderr
