"""What makes a stored number valid: identities and seeds."""

import json
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from generators import TANLaw, law_of, random_tan
from learners import AODEClassifier, NaiveBayesClassifier, OneRClassifier
from workbench import read_study
from workbench.base.errors import WorkbenchError
from workbench.base.identity import current_values, learner_identity, plain
from workbench.base.seeds import canonical, digest, generator_for
from workbench.datasets.dataset import hash_rows
from workbench.engine.problem import DrawSpec, build_problem
from workbench.metrics import ir_b, log_loss, make_scorer
from workbench.study.metric_spec import MetricSpec
from workbench.study.source import Source
from workbench.study.stored_metrics import described, stored_spec

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
OURS = ("generators", "learners", "workbench")


def make(algorithm_version=1, **parameters):
    """Make a learner class with some constructor parameters, as it may look in different versions."""
    names = ", ".join(f"{name}={default!r}" for name, default in parameters.items())
    body = "; ".join(f"self.{name} = {name}" for name in parameters) or "pass"
    space: dict = {}
    exec(f"def __init__(self, {names}): {body}", space)
    members = {
        "__init__": space["__init__"],
        "algorithm_version": algorithm_version,
        "__module__": "somewhere",
    }
    return type("Learner", (ClassifierMixin, BaseEstimator), members)


def test_a_new_parameter_with_a_default_leaves_the_identity():
    before, after = make(alpha=1.0), make(alpha=1.0, smoothing="none")
    assert learner_identity(before(alpha=2.0)) == learner_identity(after(alpha=2.0))


def test_a_parameter_off_its_default_changes_the_identity():
    learner = make(alpha=1.0)
    assert learner_identity(learner(alpha=2.0)) != learner_identity(learner())
    assert learner_identity(learner(alpha=1.0)) == learner_identity(learner())


@pytest.mark.parametrize(
    ("Learner", "now", "former"),
    [
        (AODEClassifier, {"smoothing": "friedman"}, {"smoothing": "n0"}),
        (OneRClassifier, {"missing_sets": "predicted"}, {"missing_sets": "program"}),
    ],
)
def test_an_identity_keeps_the_former_word_of_a_renamed_value(Learner, now, former):
    identity = learner_identity(Learner(**now))
    assert (identity["parameters"], current_values(identity)) == (former, now)
    theirs = {"class": "theirs:Learner", "parameters": former}
    assert current_values(theirs) == former


def test_the_algorithm_version_changes_the_identity():
    assert learner_identity(make(algorithm_version=1)()) != learner_identity(make(algorithm_version=2)())


def test_other_peoples_version_is_part_of_the_identity_and_ours_is_not():
    assert learner_identity(DecisionTreeClassifier())["version"] == sklearn.__version__
    assert "version" not in learner_identity(NaiveBayesClassifier())


def test_a_nested_estimator_counts():
    shallow = BaggingClassifier(DecisionTreeClassifier(max_depth=1))
    deep = BaggingClassifier(DecisionTreeClassifier(max_depth=2))
    assert learner_identity(shallow) != learner_identity(deep)
    assert learner_identity(shallow) == learner_identity(
        BaggingClassifier(DecisionTreeClassifier(max_depth=1))
    )


def test_arrays_and_functions_have_an_identity():
    learner = make(values=None)
    assert digest(learner_identity(learner(np.arange(3)))) == digest(learner_identity(learner(np.arange(3))))
    assert learner_identity(learner(np.arange(3))) != learner_identity(learner(np.arange(4)))
    assert learner_identity(learner(np.mean)) != learner_identity(learner(np.median))


def test_what_has_no_stable_description_is_refused():
    with pytest.raises(WorkbenchError, match="random_state of DecisionTreeClassifier is a RandomState"):
        learner_identity(DecisionTreeClassifier(random_state=np.random.RandomState(0)))
    with pytest.raises(WorkbenchError, match="object has no get_params"):
        learner_identity(object())


def test_a_nameless_function_is_known_by_its_stand_in_alone():
    learner, other = make(f=None), lambda x: 2 * x
    with pytest.raises(WorkbenchError, match=r"parameter f of Learner is .*<lambda>"):
        learner_identity(learner([other]))
    assert learner_identity(learner(other), stand_in="a") == learner_identity(learner(other), stand_in="a")
    assert learner_identity(learner(other), stand_in="a") != learner_identity(learner(other), stand_in="b")
    assert learner_identity(learner([other]), stand_in="a")["parameters"]


def test_a_nameless_default_differs_from_another_nameless_value():
    usual = lambda x: x  # noqa: E731

    class Learner(ClassifierMixin, BaseEstimator):
        def __init__(self, f=usual):
            self.f = f

    assert learner_identity(Learner())["parameters"] == {}
    assert learner_identity(Learner(np.exp))["parameters"] == {"f": {"callable": "numpy:exp"}}
    assert learner_identity(Learner(lambda x: -x), stand_in="a")["parameters"]


GENERATOR = """
from generators import TANLaw, law_of, random_tan

def make(n_attributes=2, *, random_state):
    return random_tan(n_attributes=n_attributes, random_state=random_state)

def other(n_attributes=2, *, random_state):
    return random_tan(n_attributes=n_attributes, random_state=random_state)

alias = make
"""


def test_other_peoples_generators_are_known_by_name_and_version(tmp_path, monkeypatch):
    (tmp_path / "foreign_generators.py").write_text(GENERATOR, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import foreign_generators as module

    def identity(name="make"):
        return Source("mine", generator=f"foreign_generators:{name}").identity(0)

    assert identity()["function"] == "foreign_generators:make"
    assert identity("alias")["function"] == "foreign_generators:make"
    before = identity()
    monkeypatch.setattr(module.make, "algorithm_version", 2, raising=False)
    assert identity() == {**before, "algorithm_version": 2}
    installed = Source("mine", generator="sklearn.datasets:make_classification").identity(0)
    assert installed["version"] == sklearn.__version__


def test_our_generators_are_known_by_key_and_version(monkeypatch):
    def identity():
        return Source("mine", generator="tan", parameters={"n_attributes": np.float32(2)}).identity(0)

    assert identity() == {"generator": "tan", "parameters": {"n_attributes": 2.0}}
    monkeypatch.setattr(random_tan, "algorithm_version", 2, raising=False)
    assert identity()["algorithm_version"] == 2


def test_an_identity_keeps_the_former_name_of_a_renamed_parameter():
    source = Source("mine", generator="tan", parameters={"class_imbalance": 3.0})
    assert source.identity(0) == {"generator": "tan", "parameters": {"class_skew": 3.0}}
    law = source.draw(seed=1, replicate=0).law
    assert law == TANLaw(class_imbalance=3.0) == law_of({"kind": "tan", "class_imbalance": 3.0})
    assert law.to_document() == {"kind": "tan", "class_skew": 3.0}
    assert law_of(law.to_document()) == law


def cells(study):
    from workbench.engine.runner import first_round

    found = first_round(study)
    return {(cell.source, cell.learner, cell.replicate, cell.n_train): identity for identity, cell in found}


def test_every_cell_has_an_identity_of_its_own(tiny):
    assert len(set(cells(tiny).values())) == len(cells(tiny)) == 18


@pytest.mark.parametrize(
    "old, new",
    [
        ('["cart", "prior", "truth"]', '["truth", "nb", "cart", "prior"]'),
        ('["ir_b", "accuracy", "kl_divergence"]', '["log_loss"]'),
        ("[20, 40]", "[40, 20, 80]"),
        ("replicates = 3", "replicates = 5"),
        ('name = "tiny"', 'name = "other"'),
    ],
    ids=["learners", "metrics", "sizes", "replicates", "name"],
)
def test_an_extended_study_keeps_the_cells_that_it_has(tiny_toml, tiny, old, new):
    assert cells(tiny).items() <= cells(read_study(tiny_toml.replace(old, new))).items()


@pytest.mark.parametrize(
    "old, new", [("seed = 1", "seed = 2"), ("n_test = 50", "n_test = 51"), ("[2, 3]", "[2, 4]")]
)
def test_other_rows_are_other_cells(tiny_toml, tiny, old, new):
    other = cells(read_study(tiny_toml.replace(old, new)))
    assert not set(cells(tiny).values()) & set(other.values())


def test_keys_are_only_names(tiny_toml, tiny):
    renamed = tiny_toml.replace('generator = "tan"', 'generator = "tan"\nkey = "trees"')
    assert set(cells(read_study(renamed)).values()) == set(cells(tiny).values())


def test_numbers_of_numpy_are_written_as_those_of_python():
    assert canonical([np.float32(0.5), np.int64(3), np.bool_(True)]) == "[0.5,3,true]"
    with pytest.raises(TypeError, match="ndarray is not plain data"):
        canonical(np.arange(3))


def test_streams_differ_by_what_they_are_for():
    first = [generator_for(purpose, 1, 0).random() for purpose in ("truth", "test rows", "training rows")]
    assert len(set(first)) == 3


def test_all_sizes_meet_the_same_truth_and_test_rows(tiny):
    spec = DrawSpec(tiny.sources[0], seed=1, replicate=2, n_test=50, exact=True)
    build_problem.cache_clear()
    first = build_problem(spec)
    build_problem.cache_clear()
    second = build_problem(spec)
    assert first.test_digest == second.test_digest
    assert first.truth.to_json() == second.truth.to_json()
    assert first.training_rows(20, 0)[0].equals(second.training_rows(20, 0)[0])
    assert not first.training_rows(20, 0)[0].equals(first.training_rows(20, 1)[0])
    other = build_problem(DrawSpec(tiny.sources[0], seed=1, replicate=1, n_test=50, exact=True))
    assert other.test_digest != first.test_digest


KINDS = {
    "codes": pd.Categorical([1, 2, 1]),
    "texts": pd.Categorical(["1", "2", "1"]),
    "floats as categories": pd.Categorical([1.0, 2.0, 1.0]),
    "ordered": pd.Categorical([1, 2, 1], ordered=True),
    "one more declared": pd.Categorical([1, 2, 1], categories=[1, 2, 3]),
    "other order": pd.Categorical([1, 2, 1], categories=[2, 1]),
    "integers": [1, 2, 1],
    "floats": [1.0, 2.0, 1.0],
    "truth values": [True, False, True],
    "undeclared text": ["1", "2", "1"],
    "undeclared numbers": pd.Series([1, 2, 1], dtype=object),
    "undeclared, a hole": pd.Series(["1", None, "1"], dtype=object),
}


def test_columns_that_learners_treat_differently_are_different_tables():
    codes = np.array([0, 1, 0])
    hashes = {kind: hash_rows(pd.DataFrame({"a": cells}), codes) for kind, cells in KINDS.items()}
    assert len(set(hashes.values())) == len(KINDS)
    plain = pd.DataFrame({"a": [1, 2, 1]})
    assert hash_rows(plain, codes) != hash_rows(plain.rename(columns={"a": "b"}), codes)
    assert hash_rows(plain, codes) != hash_rows(plain, 1 - codes)
    assert hash_rows(plain, codes, [0, 1]) != hash_rows(plain, codes, ["0", "1"])


@pytest.mark.parametrize(
    "one, other",
    [
        (np.array([1, 2, 1], dtype=np.int8), np.array([1, 2, 1], dtype=np.uint64)),
        (np.array([0.0, -0.0, np.nan]), np.array([0.0, 0.0, np.nan], dtype=np.float32)),
        (pd.Series(["u", None, "v"], dtype="str"), pd.Series(["u", np.nan, "v"], dtype=object)),
        (pd.array([1, 2, 3], dtype="Int64"), [1, 2, 3]),
    ],
    ids=["integers", "floats", "texts", "nullable"],
)
def test_the_container_makes_no_other_table(one, other):
    codes = np.array([0, 1, 0])
    assert hash_rows(pd.DataFrame({"a": one}), codes) == hash_rows(pd.DataFrame({"a": other}), codes)


def test_a_subclass_is_a_learner_of_its_own():
    child = type("Child", (NaiveBayesClassifier,), {"__module__": "somewhere"})
    assert learner_identity(child())["class"] == "somewhere:Child"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(GOLDEN / "make_identities.py"))


def flat(families):
    return {(family, key): identity for family, found in families.items() for key, identity in found.items()}


def test_identities_are_those_that_stores_and_seeds_know(script):
    known = flat(json.loads((GOLDEN / "identities.json").read_text(encoding="utf-8")))
    found = flat(script["identities"]())
    lost = {
        name: (identity, found.get(name)) for name, identity in known.items() if found.get(name) != identity
    }
    assert not lost, (
        "an identity changed or is gone, and with it seeds and stored cells: declare the former one"
    )
    assert not found.keys() - known.keys(), "new members: run `python tests/golden/make_identities.py`"


def test_every_class_with_parameters_declares_its_identity(script):
    """Bases from which our learners derive are no learners, and need none."""
    silent = [
        kind
        for kind in script["classes"]()
        if hasattr(kind, "get_params") and "workbench_identity" not in vars(kind)
    ]
    bases = [kind for kind in silent if any(one.__module__.startswith(OURS) for one in kind.__subclasses__())]
    assert [kind for kind in silent if kind not in bases or "facts" in vars(kind)] == []


def test_no_two_classes_declare_the_same_identity(script):
    found = (vars(kind).get("workbench_identity") for kind in script["classes"]())
    declared = [name for name in found if name is not None]
    assert len(declared) == len(set(declared))


def test_a_function_is_known_by_what_it_declares():
    def moved():
        """Stand where no store would find it."""

    moved.__qualname__, moved.__module__ = "moved", "elsewhere"
    assert plain(moved) == {"callable": "elsewhere:moved"}
    moved.workbench_identity = "somewhere:function"
    assert plain(moved) == {"callable": "somewhere:function"}
    assert plain(np.mean) == {"callable": "numpy:mean"}


def test_a_scorer_in_a_grid_search_keeps_its_identity():
    search = GridSearchCV(NaiveBayesClassifier(), {}, scoring=make_scorer(ir_b, prior="test"))
    found = learner_identity(search)["parameters"]["scoring"]
    assert found["instance"] == "workbench.metrics.scorer:Scorer"
    attributes = dict(found["attributes"]["mapping"])
    metric = attributes.pop("metric")
    assert attributes == {"classes": None, "cutoff": "none", "n_train": None, "prior": "test"}
    assert metric["instance"] == "workbench.metrics.ir_b:InformationReward"
    assert dict(metric["attributes"]["mapping"]) == {
        "_fixed": True, "_per_bit": 1.0, "base": 2.0, "divide": True, "name": "ir_b", "unit": "bits"
    }  # fmt: skip
    without_options = dict(plain(make_scorer(log_loss))["attributes"]["mapping"])["metric"]
    assert without_options["attributes"] == {"mapping": [["_fixed", True]]}


def test_a_stored_metric_is_found_where_its_class_stands_now():
    stored = described(MetricSpec("ece_10", metric="expected_calibration_error", options={"n_bins": 10}))
    assert stored_spec("ece_10", stored).made.n_bins == 10
