"""Whatever the catalogue names can be found and does what its family does."""

import importlib
import importlib.metadata
import inspect
import pkgutil
from dataclasses import fields, replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, is_classifier

from workbench import read_study, write_study
from workbench.base import catalogue
from workbench.base.cell import Cell
from workbench.base.errors import WorkbenchError
from workbench.base.identity import learner_identity
from workbench.base.names import GENERATORS, LEARNERS, METRICS
from workbench.designs import Design, StudyOutline
from workbench.estimators.rivals import RIVALS
from workbench.figures import Display
from workbench.metrics import Metric


def every(family):
    return pytest.mark.parametrize("key", catalogue.keys(family))


@pytest.mark.parametrize(
    ("package", "base"), [("metrics", Metric), ("designs", Design), ("figures", Display)]
)
def test_every_file_of_a_family_has_its_line(package, base):
    """A member whose import was forgotten, or stands below the list, would be tested by nobody."""
    family = importlib.import_module(f"workbench.{package}")
    lists = [value for name, value in vars(family).items() if name.isupper() and isinstance(value, dict)]
    listed = {id(member) for members in lists for member in members.values()}
    for module in pkgutil.iter_modules(family.__path__, f"{family.__name__}."):
        members = vars(importlib.import_module(module.name)).values()
        for member in members:
            is_member = isinstance(member, base) if base is Metric else _is_concrete(member, base)
            if is_member and getattr(member, "__module__", module.name) == module.name:
                assert id(member) in listed, (
                    f"{module.name}: add its import to {package}/__init__.py, above its list"
                )


def _is_concrete(member, base):
    return isinstance(member, type) and issubclass(member, base) and not inspect.isabstract(member)


@pytest.mark.parametrize("family", catalogue.FAMILIES)
def test_every_key_is_documented(family):
    assert all(catalogue.summary(family, key) for key in catalogue.keys(family))


@pytest.mark.parametrize(
    ("family", "names"), [("learners", LEARNERS), ("metrics", METRICS), ("generators", GENERATORS)]
)
def test_every_key_has_a_name_for_people_and_no_other_key_has_it(family, names):
    """Names stand in figures, reports and sentences: workbench/base/names.py."""
    keys = [key for key in catalogue.keys(family) if not catalogue.package_of(family, key)]
    assert [key for key in keys if key not in names] == []
    own = [names[key] for key in keys]
    assert sorted(name for name in set(own) if own.count(name) > 1) == []


def test_a_learner_is_a_classifier_that_needs_no_arguments():
    for key in catalogue.keys("learners"):
        if catalogue.is_missing("learners", key):
            continue
        learner = catalogue.find("learners", key)()
        assert isinstance(learner, BaseEstimator) or key == "catboost"
        assert is_classifier(learner)
        parameters = getattr(catalogue.find("learners", key), "keywords", {})  # of a variant
        if key not in RIVALS:  # some list parameters that nobody has set
            assert learner_identity(learner)["parameters"] == parameters


def test_a_key_with_parameters_takes_more_of_them():
    third = '{key = "laplace", learner = "tan_superparent", smoothing = "laplace"}'
    learners = f'learners = ["tan", "tan_superparent", {third}]'
    study = read_study(f'name = "n"\nseed = 1\n{learners}\n[[sources]]\ngenerator = "tan"')
    options = {"structure": "superparent"}
    found = [spec.identity["parameters"] for spec in study.learners]
    assert found == [{}, options, {**options, "smoothing": "laplace"}]
    assert read_study(write_study(study)) == study
    with pytest.raises(WorkbenchError, match=r"'smothing' .*'smoothing'"):
        read_study(write_study(study).replace("smoothing", "smothing"))


@every("generators")
def test_a_generator_makes_truths_with_their_verbs(key):
    truth = catalogue.find("generators", key)(random_state=1)
    X, y = truth.sample(5, random_state=1)
    posterior = truth.posterior(X)
    assert len(X) == len(y) == 5
    assert posterior.shape == (5, len(truth.classes))
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, atol=1e-12)
    assert truth.enumerable == (not key.startswith("gaussian_"))  # numbers have no list of combinations
    if truth.enumerable:
        assert truth.enumerate().joint.sum() == pytest.approx(1.0)


def test_a_metric_goes_by_its_key():
    for key in catalogue.keys("metrics"):
        metric = catalogue.find("metrics", key)
        assert isinstance(metric, Metric)
        assert metric.name == key


@every("designs")
def test_a_design_yields_rounds_of_different_cells(key):
    kind = catalogue.find("designs", key)
    assert issubclass(kind, Design)
    assert kind.key == key
    plan = StudyOutline({"tan": 1, "aode": 1}, ("nb", "prior"), scores=list, n_rows={"tan": 90, "aode": 7})
    cells = next(kind().rounds(plan))
    assert all(isinstance(cell, Cell) for cell in cells)
    assert len(set(cells)) == len(cells) > 0
    assert cells == next(kind().rounds(plan))


@every("designs")
def test_further_replicates_leave_the_first_ones_as_they_are(key):
    design = catalogue.find("designs", key)()
    for option in fields(design):
        value = getattr(design, option.name)
        if isinstance(value, int) and not isinstance(value, bool):
            more = replace(design, **{option.name: value + 1})
            if more.n_replicates(1) != design.n_replicates(1):
                assert more.describe() == design.describe(), f"describe() must leave out {option.name!r}"


def test_an_unknown_key_names_the_nearest():
    with pytest.raises(WorkbenchError, match=r"'aod'.*'aode'"):
        catalogue.find("generators", "aod")
    with pytest.raises(WorkbenchError, match=r"'metric' .*'metrics'"):
        catalogue.find("metric", "ir_b")
    with pytest.raises(WorkbenchError, match="'nowhere'"):
        catalogue.find("learners", "nowhere:Learner")


@pytest.fixture
def third_party(monkeypatch):
    """Pretend that a package with entry points is installed."""
    points = [
        importlib.metadata.EntryPoint("dummy", "sklearn.dummy:DummyClassifier", "workbench.learners"),
        importlib.metadata.EntryPoint("nb", "sklearn.naive_bayes:BernoulliNB", "workbench.learners"),
    ]
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: [p for p in points if p.group == group]
    )
    for cached in (catalogue._others, catalogue.find):
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in (catalogue._others, catalogue.find):
        cached.cache_clear()


@pytest.mark.usefixtures("third_party")
def test_installed_packages_add_keys_and_replace_none():
    assert catalogue.keys("learners")[-1] == "dummy"
    assert catalogue.find("learners", "dummy").__name__ == "DummyClassifier"
    assert catalogue.find("learners", "nb").__module__.startswith("learners")


def test_a_module_of_the_same_name_is_named():
    with pytest.raises(WorkbenchError, match=r"'mine'.*shelve\.py"):
        catalogue.find("learners", "shelve:mine")


def test_names_of_elsewhere_are_hinted_at():
    for name, meant in (("k_neighbors", "sklearn.neighbors"), ("RandomForest", "random_forest")):
        with pytest.raises(WorkbenchError, match=rf"'{name}'.*'{meant}"):
            catalogue.find("learners", name)
    with pytest.raises(WorkbenchError, match=r"'Percent_correct'.*'accuracy'"):
        catalogue.find("metrics", "Percent_correct")
