"""Studies run on truths of every kind, from TOML."""

import inspect

import numpy as np
import pytest

import workbench
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.study.source import Source

LEARNERS = ["nb", "tan", "j48", "prior", "truth"]
ALTERATIONS = {
    "redundant": {"redundant": 2, "fidelity": 0.95},
    "label_noise": {"label_noise": 0.1},
    "missing_not_at_random": {"missing": 0.2, "mechanism": "not_at_random"},
    "numeric": {"numeric": 2},
    "all_numeric_with_missing": {"numeric": "all", "missing": 0.2},
    "hard": {"bayes_error": [0.2, 0.4]},
}


def toml(generator, learners=LEARNERS, **parameters):
    if "n_classes" in inspect.signature(catalogue.find("generators", generator)).parameters:
        parameters["n_classes"] = [2, 3]
    options = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    return f"""
name = "kinds"
seed = 3
learners = {learners!r}
[[sources]]
key = "source"
generator = "{generator}"
n_attributes = 3
{options}
[design]
kind = "fresh_samples"
replicates = 2
sizes = [40]
n_test = 200
[scores]
metrics = ["ir_b", "kl_divergence", "accuracy"]
priors = ["marginal"]
rows = ["test", "exact"]
cutoffs = ["none"]
"""


def scores(text):
    results = workbench.run(workbench.read_study(text))
    frame = results.frame()
    assert set(frame["learner"]) == set(LEARNERS)
    return frame


def divergence_of_the_truth(frame):
    mine = frame[(frame["learner"] == "truth") & (frame["metric"] == "kl_divergence")]
    return mine["value"].abs().max()


@pytest.mark.parametrize(
    "generator",
    [pytest.param(key, marks=[pytest.mark.slow] * (key != "tan")) for key in catalogue.keys("generators")],
)
def test_a_study_runs_on_every_kind(generator):
    frame = scores(toml(generator))
    assert divergence_of_the_truth(frame) < 1e-12
    exact = set(frame["rows"]) == {"test", "exact"}
    assert exact == (not generator.startswith("gaussian_"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ALTERATIONS)
def test_a_study_runs_on_every_alteration(name):
    frame = scores(toml("decision_tree" if name == "hard" else "tan", **ALTERATIONS[name]))
    assert divergence_of_the_truth(frame) < 1e-12
    assert ("exact" in set(frame["rows"])) == ("numeric" not in name)
    divergence = frame[frame["metric"] == "kl_divergence"].groupby("learner", observed=True)["value"].min()
    assert (divergence.drop("truth") > 1e-6).all()


@pytest.mark.slow
def test_the_exact_scores_of_a_study_with_missing_values_are_those_of_many_rows():
    text = toml("naive_bayes", missing=0.3, mechanism="not_at_random").replace(
        "n_test = 200", "n_test = 40000"
    )
    frame = scores(text)
    table = frame[frame["metric"] != "kl_divergence"].pivot_table(
        index=["replicate", "learner", "metric"], columns="rows", values="value", observed=True
    )
    np.testing.assert_allclose(table["test"], table["exact"], atol=0.03)


def test_a_source_takes_alterations_and_bounds_besides_the_generators_own():
    source = Source(
        "s", generator="tan", parameters={"n_attributes": 3, "missing": 0.1, "bayes_error": [0.1, 0.3]}
    )
    drawn = source.drawn(seed=1, replicate=4)
    assert drawn.truth.rate == pytest.approx(0.1)
    assert 0.1 <= drawn.found["bayes_error"] <= 0.3
    assert source.draw(seed=1, replicate=4).to_json() == drawn.truth.to_json()


def test_an_option_at_its_default_leaves_the_identity_and_the_truth_as_they_are():
    plain, spelled = (
        Source("s", generator="tan", parameters=parameters)
        for parameters in (
            {"n_classes": 3},
            {"n_classes": 3, "missing": 0.0, "mechanism": "completely_at_random"},
        )
    )
    assert plain.identity(0) == spelled.identity(0) == {"generator": "tan", "parameters": {"n_classes": 3}}
    assert plain.draw(seed=1, replicate=0).to_json() == spelled.draw(seed=1, replicate=0).to_json()


def test_a_misspelled_option_is_answered_by_the_nearest():
    with pytest.raises(WorkbenchError, match="did you mean 'label_noise'"):
        Source("s", generator="tan", parameters={"label_noize": 0.1})


def test_bounds_that_no_truth_meets_are_refused_before_anything_runs():
    study = workbench.read_study(toml("tan", bayes_error=[0.9, 0.95], tries=3))
    with pytest.raises(
        WorkbenchError, match="'source' cannot draw a truth with generator 'tan': none of 3 truths"
    ):
        workbench.run(study)


def test_a_study_with_alterations_is_written_and_read():
    study = workbench.read_study(toml("rules", missing=0.2, mechanism="at_random", bayes_error=[0.0, 0.5]))
    assert workbench.read_study(workbench.write_study(study)) == study
