"""Metrics with options of their own: in Python, in TOML, in a store, in workers, in tables."""

import math
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from typer.testing import CliRunner

import workbench
from generators import random_tan
from learners import NaiveBayesClassifier, PriorClassifier
from tests.documents import numbers_of
from workbench import compare, load, read_study, rescore, run, write_study
from workbench.base.errors import MissingScores, WorkbenchError
from workbench.cli.app import app
from workbench.designs import HalfSplits
from workbench.metrics import (
    METRICS,
    CalibrationError,
    CostMatrix,
    InformationReward,
    Miscalibration,
    ScoringRule,
    ir_b,
    log_loss,
)
from workbench.study.document import StudyDocument
from workbench.study.metric_spec import MetricSpec, read_metrics
from workbench.study.scores import Scores
from workbench.study.source import Source

TABLE = '{ key = "ece_5", metric = "expected_calibration_error", n_bins = 5 }'
STUDY = f"""
name = "own metrics"
seed = 1
learners = ["nb", "prior"]
[[sources]]
generator = "tan"
n_attributes = 3
[design]
replicates = 3
sizes = [50]
n_test = 60
[scores]
metrics = ["accuracy", {TABLE}, {{ key = "nats", metric = "ir_b", base = {math.e!r} }}]
cutoffs = ["none"]
"""
IRIS = load_iris(return_X_y=True, as_frame=True)
LEARNERS = {"nb": NaiveBayesClassifier(), "prior": PriorClassifier()}


class Doubled(ScoringRule):
    """Count a forecast of the true class twice.

    Larger is better.
    """

    name, unit, direction, bounds = "doubled", "shares", "higher", (0.0, math.inf)

    def __init__(self, *, times=2.0, name="doubled"):
        self.times, self.name = times, name

    def _by_class(self, forecast, prior):
        return self.times * forecast


def on_iris(metrics, **options):
    return compare(LEARNERS, on={"iris": IRIS}, metrics=metrics, design=HalfSplits(3), **options)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "s.db"
    run(read_study(STUDY), path)
    return path


@pytest.fixture
def fresh(store, tmp_path):
    """Return a copy of the store, to write to."""
    path = tmp_path / "s.db"
    path.write_bytes(store.read_bytes())
    return path


# ---- in Python


def test_a_matrix_of_costs_goes_through_toml_and_store(tmp_path):
    table = '{ key = "dear", metric = "cost", costs = [[0, 1], [10, 0]] }'
    text = STUDY.replace(TABLE, table).replace("n_attributes = 3", "n_attributes = 3\nn_classes = 2")
    study = read_study(text.replace('["nb", "prior"]', '["nb", "optimal", "truth"]'))
    assert read_study(write_study(study)).scores == study.scores
    run(study, tmp_path / "s.db")
    results = load(tmp_path / "s.db")
    same = rescore(tmp_path / "s.db", {"same": CostMatrix([[0, 1], [10, 0]])}).results
    of = same.frame().query("rows == 'test'").set_index("metric")["value"]
    assert of["same"].tolist() == of["dear"].tolist()
    assert results.metric("dear").definition == "CostMatrix(costs=[[0.0, 1.0], [10.0, 0.0]])"
    regret = results.regret("dear")
    assert (regret["to_truth"] >= 0.0).all()
    with pytest.raises(WorkbenchError, match="metric 'dear' cannot be made: costs has shape"):
        read_study(text.replace("[10, 0]", "[10, 0], [1, 3]"))


@pytest.mark.parametrize(
    "metrics, key",
    [
        (InformationReward(base=math.e, name="nats"), "nats"),
        ((InformationReward(base=math.e, name="nats"),), "nats"),
        ({"other": InformationReward(base=math.e)}, "other"),
        (({"key": "tabled", "metric": "ir_b", "base": math.e},), "tabled"),
        (["accuracy", MetricSpec("spec", metric="ir_b", options={"base": math.e})], "spec"),
    ],
)
def test_a_metric_with_options_is_scored_under_its_key(metrics, key):
    results = on_iris(metrics)
    own, bits = results.table(key), on_iris("ir_b").table("ir_b")
    np.testing.assert_allclose(own["mean"], bits["mean"] * math.log(2.0), rtol=1e-12)
    assert results.metric(key).unit == "nats"
    assert set(results.frame()["metric"]) <= {key, "accuracy"}


@pytest.mark.parametrize("metrics", [ir_b, (ir_b,), {"ir_b": "ir_b"}, ({"metric": "ir_b"},)])
def test_what_the_catalogue_has_under_that_key_is_a_word(metrics):
    scores = Scores(metrics=read_metrics((metrics,) if metrics is ir_b else metrics))
    assert scores.metrics == ("ir_b",)
    assert scores.definitions == ()
    assert scores == Scores(metrics=("ir_b",))


def test_a_variant_of_the_catalogue_keeps_its_own_options():
    (spec,) = read_metrics([{"key": "over_20", "metric": "overconfidence", "cell": 20}])
    assert (spec.made.side, spec.made.cell, spec.made.name) == ("over", 20, "over_20")
    assert spec == MetricSpec("over_20", instance=Miscalibration(side="over", cell=20))
    assert MetricSpec("over_20", instance=Miscalibration(side="over", cell=20)).table == {
        "key": "over_20",
        "metric": "overconfidence",
        "cell": 20,
    }


@pytest.mark.parametrize("place", ["calibration_error", "calibration"])
def test_a_class_is_known_by_its_identity_and_by_its_place(place):
    (spec,) = read_metrics(
        [{"key": "x", "metric": f"workbench.metrics.{place}:CalibrationError", "n_bins": 5}]
    )
    assert spec == MetricSpec("x", instance=CalibrationError(n_bins=5))
    assert spec.identity["class"] == "workbench.metrics.calibration_error:CalibrationError"


@pytest.mark.parametrize(
    "metrics, message",
    [
        (
            ({"metric": "miscalibration", "tis": 1},),
            "unknown option 'tis' of metric 'miscalibration'; did you ",
        ),
        (({"metric": "miscalibration", "ties": "gven"},), "metric 'miscalibration' cannot be made: ties is"),
        (({"metric": "ir_b", "name": "x"},), "unknown option 'name' of metric 'ir_b'"),
        (({"metric": "irb", "base": 2.0},), "unknown metric 'irb'; did you mean 'ir_b'"),
        (
            ({"key": "", "metric": "ir_b", "base": math.e},),
            "a metric has the key '': expected a non-empty string",
        ),
        ((), r"metrics is \[\]: expected at least one"),
        (3, "metrics contains 3: expected keys"),
        (("ir_b", {"metric": "ir_b", "base": math.e}), "metrics has the key 'ir_b' twice"),
        (("sklearn.metrics:accuracy_score",), "is a function: expected a metric, derived from"),
        (("workbench.metrics.ir_b:InformationReward",), "is the class InformationReward: use an instance"),
    ],
)
def test_what_is_no_metric_is_reported_in_one_sentence(metrics, message):
    with pytest.raises(WorkbenchError, match=message) as caught:
        on_iris(metrics)
    assert "\n" not in str(caught.value)


@pytest.mark.process
def test_workers_find_the_metric():
    metrics = {"ece_5": CalibrationError(n_bins=5), "nats": InformationReward(base=math.e)}
    alone, together = on_iris(metrics), on_iris(metrics, n_jobs=2)
    assert together.frame().equals(alone.frame())


SCRIPT = """
from generators import random_tan
from learners import NaiveBayesClassifier
from workbench import compare
from workbench.metrics import ScoringRule

class Mine(ScoringRule):
    name, unit, direction, bounds = "mine", "shares", "higher", (0.0, 1.0)

    def _by_class(self, forecast, prior):
        return forecast

if __name__ == "__main__":
    truths = [random_tan(n_attributes=2, random_state=seed) for seed in range(2)]
    options = {"on": truths, "sizes": 20, "n_test": 20, "metrics": Mine(), "n_jobs": 2}
    print(len(compare({"nb": NaiveBayesClassifier()}, **options).frame()))
"""


@pytest.mark.process
def test_workers_find_a_metric_of_the_script_itself(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(workbench.__file__).resolve().parents[1])}
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True, env=environment
    )
    assert (done.stdout.strip(), done.returncode) == ("8", 0), done.stderr


# ---- in a study file


def test_a_study_with_own_metrics_survives_a_round_trip():
    study = read_study(STUDY)
    again = read_study(write_study(study))
    assert again == study
    assert numbers_of(again) == numbers_of(study)
    assert study.scores.metrics == ("accuracy", "ece_5", "nats")
    record = StudyDocument.of(study)
    assert record.metrics == ("accuracy", "ece_5", "nats")
    assert study.scores.descriptions["ece_5"]["options"] == {"n_bins": 5}
    assert StudyDocument.from_json(record.to_json()) == record


def test_metrics_of_python_are_written_as_tables():
    study = read_study(STUDY)
    objects = {"accuracy": METRICS["accuracy"], "ece_5": CalibrationError(n_bins=5)}
    of_python = replace(
        study, scores=Scores(objects | {"nats": InformationReward(base=math.e)}, cutoffs=("none",))
    )
    assert of_python == study
    assert read_study(write_study(of_python)) == study


def test_the_description_of_a_study_without_own_metrics_is_as_ever(tiny):
    scores = StudyDocument.of(tiny).content["scores"]
    assert set(scores) == {"metrics", "priors", "rows", "cutoffs"}


def test_a_nameless_function_needs_no_store_and_is_refused_in_one(tmp_path):
    metric = Doubled(times=2.0)
    vars(metric)["times"] = lambda: 2.0  # never called: only distinguished from others
    study = replace(read_study(STUDY), scores=Scores(metrics={"odd": metric}))
    with pytest.raises(WorkbenchError, match=r"times of Doubled is .*lambda"):
        run(study, tmp_path / "s.db")
    assert study.scores.descriptions["odd"]["class"].endswith(":Doubled")


# ---- in a store


def test_scores_are_those_of_the_metric_on_the_kept_forecasts(store):
    results = load(store)
    assert results.missing_scores() == {}
    plain = rescore_copy(store, ["ir_b"])
    bits = plain.scores(plain.choose("ir_b/training/test")).reset_index()
    nats = plain.scores(plain.choose("nats/training/test")).reset_index()
    np.testing.assert_allclose(nats["value"], bits["value"] * math.log(2.0), rtol=1e-12, atol=1e-15)


def rescore_copy(store, metrics):
    path = store.with_name("copy.db")
    path.write_bytes(store.read_bytes())
    return rescore(path, metrics).results


@pytest.mark.parametrize(
    "entry, described",
    [
        (
            {"key": "ece_5", "metric": "expected_calibration_error", "n_bins": 6},
            r"CalibrationError\(n_bins=6\)",
        ),
        ({"key": "ece_5", "metric": "lift"}, r"Lift\(\)"),
    ],
)
def test_another_metric_under_a_key_of_the_store_is_refused(fresh, entry, described):
    before = fresh.read_bytes()
    message = rf"^metric 'ece_5' is {described} here and CalibrationError\(n_bins=5\) in .*: use another key"
    study = replace(read_study(STUDY), scores=Scores(metrics=("accuracy", entry)))
    with pytest.raises(WorkbenchError, match=message):
        run(study, fresh)
    with pytest.raises(WorkbenchError, match=message):
        rescore(fresh, [entry])
    assert len(load(fresh).runs) == 1
    assert before[100:] == fresh.read_bytes()[100:]  # the header counts openings


def test_a_key_of_the_catalogue_is_refused_where_it_stood_for_something_else(tmp_path):
    own = STUDY.replace(TABLE, '{ metric = "miscalibration", ties = "given" }')
    plain = STUDY.replace(TABLE, '"miscalibration"')
    for first, second, here in ((own, plain, "the catalogue's here"), (plain, own, "is Miscalibration")):
        path = tmp_path / f"{here[-5:]}.db"
        run(read_study(first), path)
        with pytest.raises(WorkbenchError, match=here):
            run(read_study(second), path)


def test_a_word_of_the_store_and_a_metric_of_python_are_added(fresh):
    assert rescore(fresh, "ece_5").n_found == 6
    results = rescore(fresh, [CalibrationError(n_bins=4, name="ece_4"), "log_loss"]).results
    assert load(fresh).metric("ece_4").definition == "CalibrationError(n_bins=4)"
    assert results.metric("ece_4").direction == "lower"
    with pytest.raises(WorkbenchError, match=r"'ece_4' is CalibrationError\(n_bins=3\) here and Cal"):
        rescore(fresh, {"ece_4": CalibrationError(n_bins=3)})


def test_the_command_takes_tables_and_words_of_the_store(fresh):
    def invoke(word):
        return CliRunner().invoke(app, ["score", str(fresh), "--metric", word])

    table = '{ key = "lift_20", metric = "lift", share = 0.2 }'
    assert invoke(table).stdout.startswith("6 scores added to 6 cells, 0 had them")
    assert invoke("lift_20").stdout.startswith("0 scores added to 0 cells, 6 had them")
    for word, message in (
        ("{ key = ", "is not a table"),
        ('{ metric = "lift", shar = 0.2 }', "unknown option 'shar' of metric 'lift'; did you mean 'share'"),
        (table.replace("0.2", "0.3"), "metric 'lift_20' is Lift(share=0.3) here and Lift(share=0.2) in"),
    ):
        failed = invoke(word)
        assert failed.exit_code == 2
        assert message in failed.stderr


def test_a_store_is_read_where_the_class_is_gone(tmp_path):
    path = tmp_path / "s.db"
    results = on_iris({"doubled": Doubled(times=3.0), "accuracy": "accuracy"}, store=path)
    with closing(sqlite3.connect(path)) as connection, connection:
        (text,) = connection.execute("SELECT value FROM meta WHERE key = 'metrics'").fetchone()
        gone = text.replace(f"{Doubled.__module__}:Doubled", "nowhere.at_all:Doubled")
        assert gone != text
        connection.execute("UPDATE meta SET value = ? WHERE key = 'metrics'", (gone,))
    again = load(path)
    assert again.frame().equals(results.frame())
    assert (again.metric("doubled").direction, again.missing_scores()) == ("higher", {})
    assert again.answer("doubled").startswith("By doubled ")
    with pytest.raises(WorkbenchError, match=r"names the metric 'nowhere\.at_all:Doubled'"):
        rescore(path, "doubled", on={"iris": IRIS})


# ---- in tables


def test_equal_specs_score_alike_whatever_way_they_were_given():
    one = MetricSpec("x", metric="confidence_calibration_error", options={"n_bins": 5})
    other = MetricSpec("x", instance=CalibrationError(of="predicted", n_bins=5, name="y"))
    assert one == other
    assert hash(one) == hash(other)
    assert one != MetricSpec("x", metric="expected_calibration_error", options={"n_bins": 5})
    assert one != MetricSpec("z", metric="confidence_calibration_error", options={"n_bins": 5})
    assert one != "x"
    with pytest.raises(WorkbenchError, match="needs either a metric's key or a metric, not both"):
        MetricSpec("x", metric="ir_b", instance=log_loss)


def test_named_costs_go_through_toml_and_store(tmp_path):
    costs = '{ "1" = { "0" = 10, "1" = 0 }, "0" = { "0" = 0, "1" = 1 } }'
    table = f'{{ key = "dear", metric = "cost", costs = {costs} }}'
    text = STUDY.replace(TABLE, f'{table}, {{ key = "rows", metric = "cost", costs = [[0, 1], [10, 0]] }}')
    study = read_study(text.replace("n_attributes = 3", "n_attributes = 3\nn_classes = 2"))
    assert read_study(write_study(study)).scores == study.scores
    of = run(study, tmp_path / "s.db").frame().set_index("metric")["value"]
    assert of["dear"].tolist() == of["rows"].tolist()
    kept = load(tmp_path / "s.db").metric("dear")
    assert "deciding 0 where 1 costs 10, 1 where 0 1" in kept.explained("dear")


def test_costs_for_other_classes_are_refused_before_anything_runs():
    truth = random_tan(n_attributes=2, n_classes=3, random_state=1)
    for on in (truth, Source("x", "tan", {"n_classes": 3})):
        with pytest.raises(
            WorkbenchError, match=r"metric 'dear' does not fit source .* for 2 classes, not for the 3"
        ):
            compare(["nb"], on={"x": on}, metrics=(CostMatrix([[0, 1], [10, 0]], name="dear"), "accuracy"))


def test_a_generator_may_draw_classes_that_costs_are_not_for(tmp_path):
    dear = CostMatrix([[0, 1], [10, 0]], name="dear")
    on = Source("x", "tan", {"n_attributes": 2, "n_classes": [2, 3]})
    with pytest.warns(MissingScores, match="cells lack a score.*costs of dear are for 2 classes, not"):
        results = compare(
            ["nb"], on={"x": on}, sizes=30, n_test=30, metrics=(dear, "accuracy"), store=tmp_path / "s.db"
        )
    assert set(results.cells()["state"]) == {"done"}
    counts = results.frame().query("rows == 'test' and cutoff == 'none'").groupby("metric")["value"].count()
    assert 0 < counts["dear"] < counts["accuracy"] == len(results.cells())
    again = rescore(tmp_path / "s.db", {"other": CostMatrix([[0, 1], [2, 0]])})
    of = again.results.frame().query("rows == 'test' and cutoff == 'none'").groupby("metric")["value"].count()
    assert of["other"] == of["dear"]
