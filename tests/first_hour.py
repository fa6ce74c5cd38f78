"""What somebody types in the first hour, with the installed package alone: every command, by its defaults.

``python tests/first_hour.py`` runs in an environment that has nothing but what ``pip install`` brings. It
works in a folder of its own, needs no pytest, and ends with exit code 1 at the first command that fails or
warns of what only this project can mend.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMANDS = """\
--help
list learners
list generators
list metrics
list designs
list figures
generate tan --out bench
generate --verify bench
generate bench/tan-000/truth.bif --out again
run first.toml --dry-run
run first.toml
status first.db
analyze best first.db
analyze sample-size first.db
analyze regret first.db
analyze bias first.db
compare first.db --base nb
analyze crossovers first.db
analyze correlations first.db
score first.db --metric quadratic_loss
export first.db --to first.csv
export first.db --to first.parquet
export first.db --to first.tex
report first.db
report first.db --to first.md --to first.tex
explore first.db
profile nb --truths 2 --largest 50 --no-invariances
arena --to site --no-profiles
run table.toml
compare table.db
compare table.db --base nb --uncorrected
report table.db
reproduce table.db --printed printed.toml --to printed.html
warm prior
doctor
"""

#: A warning that points into the package, which a user can do nothing about.
OURS = re.compile(r"site-packages/(generators|learners|workbench)/\S+:\d+: \w*Warning")

FILES = {
    "first.toml": """
name = "first"
seed = 1
learners = ["nb", "tan", "cart", "prior", "truth", "optimal"]
[[sources]]
generator = "tan"
n_attributes = 3
[design]
replicates = 3
sizes = [20, 100]
n_test = 50
training_sets = 2
[scores]
metrics = ["ir_b", "kl_divergence", "accuracy"]
""",
    "table.toml": """
name = "table"
seed = 1
learners = ["nb", "c45", "stump"]
[[sources]]
dataset = "iris.csv"
[design]
kind = "random_splits"
repeats = 5
[scores]
metrics = ["ir_b", "accuracy"]
""",
    "printed.csv": "learner,dataset,accuracy\nC4.5,iris,0.935\n",
    "printed.toml": """
paper = "A paper (2001)"
[learners]
"C4.5" = "c45"
[[tables]]
name = "Table 1: accuracy"
file = "printed.csv"
columns = { dataset = "dataset", learner = "learner", value = "accuracy" }
statistic = "mean"
metric = "accuracy"
units = 25
""",
}

PYTHON = """
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from generators import random_tan
from learners import CaMMLClassifier, C45Classifier, NaiveBayesClassifier, TANClassifier, learn_network
from workbench import compare, fit_parquet, generate, sample_parquet

iris = load_iris(as_frame=True).frame
iris.to_csv("iris.csv", index=False)
tables = {"iris": (iris.drop(columns="target"), iris["target"])}
learners = {"nb": NaiveBayesClassifier(), "c45": C45Classifier()}
learners["boosting"] = HistGradientBoostingClassifier()
learners["logistic"] = make_pipeline(StandardScaler(), LogisticRegression())
results = compare(learners, on=tables)
print(results.answer())
results.report("compared.html")

truths = [random_tan(random_state=seed, n_attributes=3, arity=3) for seed in range(3)]
learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "camml": CaMMLClassifier()}
results = compare(learners, on=truths, sizes=(50,))
print(results.answer(), results.table("ir_b"), results.anova(), results.differences(), sep="\\n")
results.plot("reward_by_size").save("reward.png")

X, y = truths[0].sample(100, random_state=1)
learn_network(X.assign(y=y)).plot()
truths[0].plot()
assert [len(model.X_train) for model in generate("tan", "from_python", models=1)] == [1000]
sample_parquet(truths[0], 1000, "rows.parquet", random_state=1)
fit_parquet(NaiveBayesClassifier(arities=[3] * 3), "rows.parquet", truths[0].class_name)
"""


def main() -> None:
    """Type everything, and say how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        missing = [name for name in commands() if f"\n{name}" not in COMMANDS]
        if missing:
            sys.exit(f"commands that {Path(__file__).name} does not try: {', '.join(missing)}")
        done("the example in Python", [sys.executable, "-c", PYTHON], folder)
        for line in COMMANDS.splitlines():
            done(f"workbench {line}", [str(Path(sys.executable).parent / "workbench"), *line.split()], folder)
        done("python -m workbench --help", [sys.executable, "-m", "workbench", "--help"], folder)


def commands() -> list[str]:
    """Return the names of all commands."""
    from workbench.cli.app import ANALYSES
    from workbench.cli.app import COMMANDS as known

    names = [command.__name__.rstrip("_") for command in known]
    return names + [f"analyze {command.__name__.replace('_', '-')}" for command in ANALYSES]


def done(what: str, arguments: list[str], folder: str) -> None:
    """Run a command in the folder, and end with what it printed if it fails."""
    start = time.perf_counter()
    ended = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
    print(f"{time.perf_counter() - start:6.1f} s  {what}", flush=True)
    if ended.returncode or "Traceback" in ended.stderr:
        sys.exit(f"{what} ended with {ended.returncode}\n{ended.stdout}\n{ended.stderr}")
    if OURS.search(ended.stderr):
        sys.exit(f"{what} warns of our own code\n{ended.stderr}")


if __name__ == "__main__":
    main()
