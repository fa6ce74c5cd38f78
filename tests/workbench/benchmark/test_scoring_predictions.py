"""Predictions of the test rows of a benchmark, scored against its truth."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from learners import NaiveBayesClassifier
from workbench.base.errors import LeftOutWarning, WorkbenchError
from workbench.benchmark import generate, hand_out, load, rank_predictions, score_predictions
from workbench.cli.commands.generate import generate as command
from workbench.cli.options import one_sentence
from workbench.metrics import class_prior

app = typer.Typer()
app.command()(one_sentence(command))


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("bench") / "bench"
    generate("tan", folder, models=2, rows=200, test=60, seed=3, format="csv", parameters={"n_classes": 3})
    return folder


@pytest.fixture
def truths(bench, tmp_path) -> Path:
    """A folder of predictions: the forecasts of the truth itself."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for model in load(bench):
        shutil.copy(bench / model.name / "posterior.csv", folder / f"{model.name}.csv")
    return folder


def means(frame: pd.DataFrame, model: str) -> pd.Series:
    return frame[frame["model"] == model].set_index("score")["mean"]


def test_the_truth_loses_nothing_to_itself(bench, truths):
    found = score_predictions(bench, truths)
    for name in (*(model.name for model in load(bench)), "all models"):
        assert means(found, name)[["kl_divergence", "regret"]].tolist() == [0, 0]


def test_scores_are_those_of_the_definitions(bench, truths):
    model = load(bench)["tan-001"]
    p = NaiveBayesClassifier().fit(model.X_train, model.y_train).predict_proba(model.X_test)
    head = (truths / "tan-001.csv").read_text().splitlines()[0].split(",")
    pd.DataFrame(p, columns=head).to_parquet(truths / "tan-001.parquet")
    (truths / "tan-001.csv").unlink()
    frame = score_predictions(bench, truths)
    found, rows, true = means(frame, "tan-001"), np.arange(len(p)), model.posterior
    outcome, prior = model.y_test.cat.codes.to_numpy(), np.array(model.card["class"]["marginal"])
    losses = -np.log2(p[rows, outcome])
    assert found["log_loss"] == pytest.approx(losses.mean())
    assert found["kl_divergence"] == pytest.approx((true * np.log2(true / p)).sum(axis=1).mean())
    assert found["accuracy"] == pytest.approx((p.argmax(axis=1) == outcome).mean())
    regret = true.max(axis=1) - true[rows, p.argmax(axis=1)]
    assert found["regret"] == pytest.approx(regret.mean())
    assert found["regret"] > 0
    assert np.isfinite(found["ir_b"])
    [line] = frame[(frame["model"] == "tan-001") & (frame["score"] == "log_loss")].itertuples()
    half = 2.0010 * losses.std(ddof=1) / np.sqrt(len(p))  # Student's t of 59 degrees of freedom
    assert (line.high - line.mean, line.mean - line.low) == pytest.approx((half, half), rel=1e-3)
    prior_loss = -np.log2(prior[outcome]).mean()
    assert np.sign(found["ir_b"]) == np.sign(prior_loss - found["log_loss"])


def rows_of(path: Path, change) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join(change(lines)) + "\n")


DAMAGE = {
    "a file is missing": (
        lambda f: (f / "tan-001.csv").unlink(),
        "has no predictions of 1 model, tan-001",
    ),
    "two files of a model": (lambda f: (f / "model-001.arff").touch(), "belong to the same model: keep one"),
    "rows are missing": (
        lambda f: rows_of(f / "tan-001.csv", lambda lines: lines[:-2]),
        "tan-001.csv has 58 rows: expected 60",
    ),
    "other columns": (
        lambda f: rows_of(f / "tan-001.csv", lambda lines: ["a,b,c", *lines[1:]]),
        "no column in .*tan-001.csv, which has 'a', 'b', 'c'",
    ),
    "a sum that is not 1": (
        lambda f: rows_of(f / "tan-001.csv", lambda lines: [*lines[:3], "0.5,0.5,0.5", *lines[4:]]),
        "tan-001.csv, line 4: .*sum to 1.5",
    ),
    "less than nothing": (
        lambda f: rows_of(f / "tan-001.csv", lambda lines: [*lines[:3], "-0.5,0.5,1", *lines[4:]]),
        "tan-001.csv, line 4: -0.5 stands for class",
    ),
    "nan": (
        lambda f: rows_of(f / "tan-001.csv", lambda lines: [lines[0], "nan,0.5,0.5", *lines[2:]]),
        "tan-001.csv, line 2: 'nan' stands for class",
    ),
    "nothing in it": (lambda f: (f / "tan-001.csv").write_text(""), "tan-001.csv"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_model_whose_file_is_wrong_is_left_out_with_a_warning(what, bench, truths):
    damage, sentence = DAMAGE[what]
    damage(truths)
    with pytest.warns(LeftOutWarning, match=sentence) as caught:
        found = score_predictions(bench, truths)
    assert len(caught) == 1
    assert found["model"].unique().tolist() == ["tan-000", "1 of 2 models"]


def test_all_faults_stand_in_one_warning_and_below_the_table(bench, truths):
    (truths / "other.csv").touch()
    (truths / "tan-000.csv").unlink()
    with pytest.warns(
        LeftOutWarning, match="other.csv belongs to no model.*has no predictions of 1 model, tan-000"
    ):
        score_predictions(bench, truths)
    said = CliRunner().invoke(app, ["--score", str(bench), str(truths)])
    assert said.exit_code == 1
    assert "1 of 2 models" in said.output
    assert "left out: " in said.output
    (truths / "tan-001.csv").unlink()
    with pytest.raises(WorkbenchError, match=r"no predictions can be scored; left out: .*other\.csv"):
        score_predictions(bench, truths)


FORMS = {
    "another order": lambda p: p.iloc[:, ::-1].to_csv(index=False),
    "names of classes alone": lambda p: p.rename(columns=lambda name: name[2:]).to_csv(index=False),
    "a byte order mark": lambda p: "\ufeff" + p.to_csv(index=False),
    "blank lines at the end": lambda p: p.to_csv(index=False) + "\n\n",
    "blanks in the header": lambda p: p.rename(columns=lambda name: f" {name} ").to_csv(index=False),
    "numbers of rows": lambda p: p.to_csv(),
    "semicolons": lambda p: p.to_csv(index=False, sep=";", decimal=","),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_that_are_clear_are_read(form, bench, truths):
    as_given = score_predictions(bench, truths)
    path = truths / "tan-001.csv"
    p = pd.read_csv(path)
    path.write_text(FORMS[form](p), encoding="utf-8")
    pd.testing.assert_frame_equal(score_predictions(bench, truths), as_given)


@pytest.mark.parametrize("name", ["tan-001.CSV", "model-001.csv", "1.csv"])
def test_a_file_may_be_called_by_the_number_of_its_model(name, bench, truths):
    (truths / "tan-001.csv").rename(truths / name)
    assert means(score_predictions(bench, truths), "tan-001")["kl_divergence"] == 0


def test_the_start_of_a_long_name_is_enough(tmp_path):
    levels = {"bayes_error": [[0.05, 0.1], [0.2, 0.3]]}
    generate("tan", tmp_path / "b", models=2, rows=20, test=20, format="csv", parameters=levels)
    (tmp_path / "mine").mkdir()
    for model in load(tmp_path / "b"):
        shutil.copy(model.folder / "posterior.csv", tmp_path / "mine" / f"{model.name[:7]}.csv")
    assert score_predictions(tmp_path / "b", tmp_path / "mine")["model"].iloc[-1] == "all models"


@pytest.mark.parametrize("decimals", [2, 3])
def test_rounded_probabilities_are_divided_by_their_sums(decimals, bench, truths):
    for path in truths.iterdir():
        (0.9 * pd.read_csv(path) + 0.1 / 3).round(decimals).to_csv(path, index=False)
    found = score_predictions(bench, truths)
    assert 0 < means(found, "all models")["kl_divergence"] < 0.1


def test_the_command_prints_a_line_for_each_model(bench, truths):
    said = CliRunner().invoke(app, ["--score", str(bench), str(truths)])
    assert said.exit_code == 0, said.output
    assert all(word in said.output for word in ("tan-000", "tan-001", "all models", "KL", "IR_B", "regret"))
    assert max(map(len, said.output.splitlines())) <= 100
    refused = CliRunner().invoke(app, ["--score", str(bench), str(truths / "none")])
    assert refused.exit_code != 0
    assert "is not a folder of predictions" in refused.output


def test_a_probability_of_zero_for_the_outcome_is_an_infinite_loss(bench, truths):
    model = load(bench)["tan-000"]
    classes = len(model.card["class"]["states"])
    sure = np.zeros((60, classes))
    sure[:, (model.y_test.cat.codes.to_numpy()[0] + 1) % classes] = 1
    rows_of(truths / "tan-000.csv", lambda lines: [lines[0], *(",".join(map(str, row)) for row in sure)])
    with pytest.warns(UserWarning, match="rows with probability 0 .*: a cut-off of 2002"):
        found = score_predictions(bench, truths)
    assert means(found, "tan-000")["log_loss"] == np.inf
    assert means(found, "all models")["log_loss"] == np.inf
    said = CliRunner().invoke(app, ["--score", str(bench), str(truths)])
    assert said.exit_code == 0, said.output
    assert "cost infinitely" in said.output
    cut = score_predictions(bench, truths, cutoff="2002")
    least = 0.5 / (200 + 0.5 * classes)
    assert means(cut, "tan-000")["log_loss"] < -np.log2(least / (1 + classes * least))
    assert np.isfinite(cut["mean"]).all()
    with pytest.raises(WorkbenchError, match="unknown cut-off '2003'"):
        score_predictions(bench, truths, cutoff="2003")


@pytest.fixture
def students(bench, truths, tmp_path) -> Path:
    """Folders of three students: the truth, the class frequencies, and a half of the truth."""
    hand_out(bench, tmp_path / "out")
    folder = tmp_path / "students"
    for student, source in (("ann", truths), ("ben", tmp_path / "out" / "example"), ("cleo", truths)):
        shutil.copytree(source, folder / student)
    (folder / "cleo" / "tan-000.csv").unlink()
    return folder


def test_students_are_ranked_by_their_mean_log_loss(bench, students):
    with pytest.warns(LeftOutWarning, match="cleo: left out: .*no predictions of 1 model, tan-000"):
        found = rank_predictions(bench, students).set_index("student")
    assert found.index.tolist() == ["ann", "ben", "cleo"]
    assert found["rank"].fillna(0).tolist() == [1, 2, 0]
    assert found["models"].tolist() == [2, 2, 1]
    losses = {
        who: score_predictions(bench, students / who).query("score == 'log_loss'").set_index("model")["mean"]
        for who in ("ann", "ben")
    }
    assert found.loc["ben", "mean"] == pytest.approx(losses["ben"]["all models"])
    assert found.loc["ben", "difference"] == pytest.approx((losses["ben"] - losses["ann"])["all models"])
    assert found.loc["cleo", "difference"] == 0  # by the model that both have
    said = CliRunner().invoke(app, ["--score", str(bench), str(students)])
    assert said.exit_code == 1
    assert "cleo: left out" in said.output
    assert max(map(len, said.output.split("cleo: left out")[0].splitlines())) <= 105


def test_students_without_a_model_in_common_are_not_compared(bench, students):
    (students / "ann" / "tan-001.csv").unlink()
    with pytest.warns(LeftOutWarning, match="ann: left out: .*; cleo: left out: "):
        found = rank_predictions(bench, {who: students / who for who in ("ann", "cleo")})
    assert found["rank"].isna().all()
    assert found["difference"].isna().tolist() == [False, True]


def test_students_may_be_given_by_name(bench, truths, students):
    places = {"a": truths, "b": students / "ben"}
    assert rank_predictions(bench, places)["student"].tolist() == ["a", "b"]
    with pytest.raises(WorkbenchError, match="has no student"):
        rank_predictions(bench, {})


def test_a_hand_out_tells_nothing_of_the_truth(bench, tmp_path):
    said = CliRunner().invoke(app, ["--hand-out", str(bench), str(tmp_path / "out")])
    assert said.exit_code == 0, said.output
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert sorted({path.name for path in files}) == [
        "README.md", "columns.json", "model-000.csv", "model-001.csv", "test.csv", "train.csv",
    ]  # fmt: skip
    text = "".join(path.read_text() for path in files if path.suffix != ".csv").lower()
    assert not any(word in text for word in ("seed", "tan", "bayes error", "posterior", "truth", "workbench"))
    model = load(bench)["tan-001"]
    own = tmp_path / "out" / "model-001"
    read = {"dtype": str, "keep_default_na": False}
    train, test = pd.read_csv(own / "train.csv", **read), pd.read_csv(own / "test.csv", **read)
    assert train.equals(pd.read_csv(bench / "tan-001" / "train.csv", **read))
    assert test.equals(pd.read_csv(bench / "tan-001" / "test.csv", **read).iloc[:, :-1])
    values = json.loads((own / "columns.json").read_text())
    assert values[model.y_train.name] == [str(state) for state in model.truth.classes]
    example = pd.read_csv(tmp_path / "out" / "example" / "model-001.csv").iloc[0]
    assert example.to_numpy() == pytest.approx(class_prior(model.y_train, classes=model.truth.classes))
    again = CliRunner().invoke(app, ["--hand-out", str(bench), str(tmp_path / "out")])
    assert again.exit_code == 2
    assert "is there already" in again.output
