"""Entrants: their settings, what they are given, and changes of both."""

import pytest
from sklearn.ensemble import RandomForestClassifier

from workbench.base.errors import WorkbenchError
from workbench.profiles.entrants import ENTRANTS, Entrant, entrants_of_file


@pytest.fixture
def of_file(tmp_path):
    """Return a function that reads the entrants of a text."""

    def read(text):
        path = tmp_path / "entrants.toml"
        path.write_text(text, encoding="utf-8")
        return entrants_of_file(path)

    return read


def test_an_entrant_of_toml_names_its_input(of_file) -> None:
    text = "[entrants.'my-1.b_c']\nlearner = 'sklearn.naive_bayes:GaussianNB'\ninput = 'codes'"
    found = of_file(text)["my-1.b_c"]
    assert found.spec.input == "codes"
    assert found.spec.identity["input"] == "codes"


def test_an_entrant_without_input_is_given_what_suits_it() -> None:
    assert ENTRANTS["gaussian_nb"].spec.input is None
    assert "input" not in ENTRANTS["gaussian_nb"].spec.identity


@pytest.mark.parametrize(
    ("key", "parameters", "name", "value"),
    [
        ("nb", {"alpha": 0.25}, "alpha", 0.25),
        ("random_forest", {"n_estimators": 7}, "n_estimators", 7),
        ("cart_tuned", {"estimator__max_depth": 3}, "estimator__max_depth", 3),
    ],
)
def test_options_change_parameters_and_keep_the_others(key, parameters, name, value) -> None:
    assert ENTRANTS[key].with_options(parameters).build().get_params()[name] == value
    assert (
        ENTRANTS[key].spec.build().get_params() != ENTRANTS[key].with_options(parameters).build().get_params()
    )


def test_options_change_the_input_and_without_any_it_is_the_entrants_own() -> None:
    own = Entrant("mine", "mine", "others", RandomForestClassifier, input="codes")
    assert own.with_options({"n_estimators": 3}).input == "codes"
    assert own.with_options(input="categories").input == "categories"
    assert own.spec.input == "codes"


@pytest.mark.parametrize("key", ["random_forest", "nb"])
def test_unknown_options_are_one_sentence(key) -> None:
    with pytest.raises(WorkbenchError, match=f"unknown parameter 'n_trees' of learner '{key}'; "):
        ENTRANTS[key].with_options({"n_trees": 3})
    with pytest.raises(WorkbenchError, match=f"learner '{key}' has the input 'hot'; "):
        ENTRANTS[key].with_options(input="hot")
