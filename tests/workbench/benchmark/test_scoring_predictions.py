"""Predictions of the test rows of a benchmark, scored against its truth."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from learners import NaiveBayesClassifier
from workbench.base.errors import WorkbenchError
from workbench.benchmark import generate, load, score_predictions
from workbench.cli.commands.generate import generate as command
from workbench.cli.options import one_sentence

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
        "has no predictions of 1 model: .*tan-001",
    ),
    "an unknown model": (lambda f: (f / "tan-007.csv").touch(), "tan-007.csv is of no model"),
    "two files of a model": (lambda f: (f / "tan-001.arff").touch(), "are of the same model: keep one"),
    "rows are missing": (
        lambda f: rows_of(f / "tan-001.csv", lambda lines: lines[:-2]),
        "tan-001.csv has 58 rows, and tan-001 has 60 test rows",
    ),
    "other columns": (
        lambda f: rows_of(f / "tan-001.csv", lambda lines: ["a,b,c", *lines[1:]]),
        "tan-001.csv has the columns .*'a', 'b', 'c'.*expected",
    ),
    "a sum that is not 1": (
        lambda f: rows_of(f / "tan-000.csv", lambda lines: [*lines[:3], "0.5,0.5,0.5", *lines[4:]]),
        "row 3 of .*tan-000.csv is 0.5, 0.5, 0.5: expected probabilities that sum to 1",
    ),
    "nan": (
        lambda f: rows_of(f / "tan-000.csv", lambda lines: [lines[0], "nan,0.5,0.5", *lines[2:]]),
        "tan-000.csv",
    ),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_files_that_do_not_fit_are_refused_in_a_sentence(what, bench, truths):
    damage, sentence = DAMAGE[what]
    damage(truths)
    with pytest.raises(WorkbenchError, match=sentence) as caught:
        score_predictions(bench, truths)
    assert "\n" not in str(caught.value)


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
    found = score_predictions(bench, truths)
    assert means(found, "tan-000")["log_loss"] == np.inf
    assert means(found, "all models")["log_loss"] == np.inf
    said = CliRunner().invoke(app, ["--score", str(bench), str(truths)])
    assert said.exit_code == 0, said.output
