"""Printed class probabilities of J48, bounds on errors, and gains computed by hand."""

import numpy as np
import pandas as pd
import pytest

from learners import C45Classifier, J48Classifier
from learners.base import TrainingTable
from learners.tables.attributes import Schema
from learners.tables.class_labels import code_classes
from learners.trees.growing.gain_ratio import GainRules, find_all_gains
from learners.trees.growing.growth import OpenNodes
from learners.trees.growing.training_rows import TreeRows, rank_rows
from learners.trees.pruning.error_based import c45_bound, weka_bound

RULES = GainRules(min_weight=2.0, cut_share=0.1, cut_most=25.0, gap=1e-5, tie=1e-9)


@pytest.mark.parametrize(
    ("name", "lines"),
    [("weather.nominal", 20), ("weather.numeric", 20), ("contact-lenses", 27), ("iris", 153), ("labor", 57)],
)
def test_every_printed_probability_of_j48(golden, table, name, lines) -> None:
    X, y = table(name)
    learner = J48Classifier().fit(X, y)
    printed = pd.read_csv(golden / "j48_probs.csv", comment="#", keep_default_na=False)
    printed = printed[printed["table"] == name]
    assert len(printed) == lines
    rows = X.iloc[printed["row"] - 1].reset_index(drop=True)
    for i, holes in enumerate(printed["set_missing"]):
        for column in filter(None, holes.split("+")):
            rows.loc[i, column] = np.nan
    classes = printed["classes"].iloc[0].split(";")
    want = np.array([p.split(";") for p in printed["probabilities"]], dtype=float)
    got = pd.DataFrame(learner.predict_proba(rows), columns=learner.classes_)[classes]
    np.testing.assert_allclose(got, want, atol=1e-9)
    assert learner.predict(rows).tolist() == printed["predicted"].tolist()


@pytest.mark.parametrize(("program", "bound"), [("c45_release8", c45_bound), ("weka", weka_bound)])
def test_added_errors_are_those_of_both_programs(golden, program, bound) -> None:
    lines = pd.read_csv(golden / "pruning_upper_bounds.csv", comment="#")
    assert len(lines) == 66
    for line in lines.itertuples():
        added = bound(line.CF).added(line.N, line.E)
        np.testing.assert_allclose(added, getattr(line, f"{program}_added_errors"), atol=6e-7)
        np.testing.assert_allclose(
            (line.E + added) / line.N, getattr(line, f"{program}_upper_rate"), atol=6e-7
        )


@pytest.fixture
def worked(golden) -> dict[tuple[str, str], float]:
    """Return the values computed by hand, by example and quantity."""
    lines = pd.read_csv(golden / "c45_worked_examples.csv", comment="#")
    return {(line.example, line.quantity): line.value for line in lines.itertuples()}


def rows_of(X: pd.DataFrame, y: pd.Series) -> TreeRows:
    schema, coded = Schema.fit_code(X)
    classes, codes, _ = code_classes(y)
    return rank_rows(
        TrainingTable(coded.codes, coded.values, schema.arities, codes, len(classes), None), schema
    )


def root_gains(rows: TreeRows):
    counts = np.bincount(rows.y, minlength=rows.n_classes)[None, :].astype(float)
    n, d = rows.codes.shape
    tested = np.zeros((1, d), dtype=bool)
    root = OpenNodes(np.zeros(1, int), counts, np.array([0, n]), rows.codes, rows.y, rows.weight, tested)
    return find_all_gains(rows, root, RULES)


def test_gains_of_the_nominal_weather_are_those_computed_by_hand(table, worked) -> None:
    X, y = table("weather.nominal")
    gains = root_gains(rows_of(X, y))
    for j, name in enumerate(X):
        got = gains.gain[0, j], gains.split_info[0, j], gains.gain[0, j] / gains.split_info[0, j]
        for value, quantity in zip(got, ("gain", "split information", "gain ratio"), strict=True):
            want = worked["weather.nominal root", f"{name} {quantity}"]
            np.testing.assert_allclose(value, want, atol=6e-7)


@pytest.mark.parametrize("name", ["temperature", "humidity"])
def test_cuts_of_the_numeric_weather_are_those_computed_by_hand(table, worked, name) -> None:
    X, y = table("weather.numeric")
    gains = root_gains(rows_of(X, y))
    j = list(X).index(name)
    n_cuts = int(gains.n_cuts[0, j])
    assert n_cuts == worked["weather.numeric root", f"{name}: candidate cuts"]
    np.testing.assert_allclose(
        gains.gain[0, j], worked["weather.numeric root", f"{name}: best raw gain"], atol=6e-7
    )
    corrected = gains.gain[0, j] - np.log2(n_cuts) / 14
    want = worked["weather.numeric root", f"{name}: gain after log2({n_cuts})/14"]
    np.testing.assert_allclose(corrected, want, atol=6e-7)


def test_the_sunny_cut_of_the_numeric_weather_is_the_one_computed_by_hand(table, worked) -> None:
    X, y = table("weather.numeric")
    sunny = (X["outlook"] == "sunny").to_numpy()
    gains = root_gains(rows_of(X[sunny], y[sunny]))
    j = list(X).index("humidity")
    gain, info = gains.gain[0, j], gains.split_info[0, j]
    want = {quantity: value for (example, quantity), value in worked.items() if "sunny" in example}
    assert gains.n_cuts[0, j] == want["humidity: candidate cuts"]
    np.testing.assert_allclose(gain, want["humidity: raw gain"], atol=6e-7)
    np.testing.assert_allclose(gain - 1 / 5, want["humidity: gain after log2(2)/5"], atol=6e-7)
    np.testing.assert_allclose((gain - 1 / 5) / info, want["humidity: gain ratio"], atol=6e-7)
    tree = C45Classifier().fit(X, y).tree_
    stored = next(
        value for quantity, value in want.items() if quantity.startswith("humidity: threshold stored")
    )
    assert tree.threshold[tree.kind == 2].tolist() == [stored]
