"""What the command line says of the best possible: `regret`, `best --within`, `needed --of`."""

import pytest
from typer.testing import CliRunner

import workbench
from workbench.cli.app import app

STUDY = """
name = "best"
seed = 2
learners = ["nb", "tan", "truth", "optimal", "optimal_mixture"]
[[sources]]
generator = "naive_bayes"
n_attributes = 2
arity = 2
n_classes = 2
[[sources]]
generator = "rules"
n_attributes = 3
arity = 2
[design]
replicates = 3
sizes = [20, 40]
n_test = 20
[scores]
metrics = ["ir_b"]
priors = ["marginal"]
cutoffs = ["none"]
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("best") / "best.db"
    workbench.run(workbench.read_study(STUDY), path)
    return path


def call(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_regret_prints_the_table_sentences_and_why_there_is_no_optimum(store):
    result = call("analyze", "regret", store)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "Regret by IR_B (exact, marginal prior) [bits]"
    assert lines[2].split()[:5] == ["naive", "Bayes", "20", "naive", "Bayes"]
    assert lines[2].endswith("0.0000 (0.0000, 0.0000)")
    assert "3 truths of each kind" in lines
    assert any(
        line.startswith("With 40 training rows on naive Bayes truths, naive Bayes has the best mean and ")
        for line in lines
    )
    assert any(line.startswith("rules has no optimum, as ") for line in lines)
    one = call(
        "analyze", "regret", store, "--source", "naive_bayes", "--learners", "tan", "--score", "ir_b//test"
    )
    assert "rules" not in one.stdout
    assert one.stdout.startswith("Regret by IR_B (test rows, marginal prior)")


@pytest.mark.slow
def test_best_and_needed_measure_by_the_optimum(store):
    best = call("analyze", "best", store, "--within", "0.5")
    assert "within 0.5 bits of the optimum" in best.stdout.splitlines()[1]
    assert "> 0.999" in best.stdout.splitlines()[2]
    assert (
        call("analyze", "best", store, "--within", "0").stderr
        == "workbench: within is 0.0: expected a number above 0, such as 0.01\n"
    )
    wrong = call("analyze", "sample-size", store, "--of", "optimum")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert wrong.stderr == "workbench: unknown ceiling 'optimum'; did you mean 'optimal'?\n"


@pytest.mark.slow
def test_a_study_without_the_optimum_shows_what_is_lost_to_the_truth(small_store):
    result = call("analyze", "regret", small_store)
    assert result.exit_code == 0
    assert "to the truth" in result.stdout
    assert "there are no scores of the optimum" in result.stdout + result.stderr
