"""The tables of the study of pools: two lists by a rule, and a loader that does what they say."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "pooled"
#: Tables that have judged before, by their names here or those of their relatives.
RESERVED = {
    "tae", "saheart", "mammographic", "vowel", "contraceptive", "car", "splice", "spambase", "spam7",
    "banana", "phoneme", "page-blocks", "ring", "texture", "marketing", "magic", "pbc", "pbcseq", "titanic",
    "TitanicSurvival", "attrition", "HMDA", "Hmda", "Hdma", "loanapp", "Chile", "bfi", "email",
    "email_test", "hpc_data", "hpc_cv", "credit_data", "mlc_churn", "wa_churn", "storms", "Caravan",
    "MplsStops", "nassCDS", "diamonds", "iris", "wine", "heart", "breast", "biopsy", "brca", "german",
    "crx", "australian", "optdigits", "penbased", "satimage", "letter", "segment", "vehicle", "sonar",
    "ionosphere", "mushroom", "bupa", "chess", "housevotes", "led7digit", "hayes-roth",
}  # fmt: skip


def module(name):
    spec = importlib.util.spec_from_file_location(f"pooled_{name}", FOLDER / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def loader():
    return module("load_tables")


def test_the_lists_are_what_the_rule_makes_of_them(loader):
    for side, expected in module("split").split().items():
        pd.testing.assert_frame_equal(loader.listed(side), expected.reset_index(drop=True))


def test_the_sides_share_no_table_and_have_none_that_judged_before(loader):
    names = [set(loader.listed(side)["table"]) for side in loader.SIDES]
    assert not names[0] & names[1]
    assert not (names[0] | names[1]) & RESERVED


def test_a_table_comes_without_dropped_columns_and_with_one_row_for_each_unit(loader, monkeypatch):
    frame = pd.DataFrame(
        {"rownames": [1, 2, 3, 4], "who": [1, 1, 2, 3], "wage1": 1.0, "sex": ["f", "f", "m", "f"], "age": 30}
    )
    monkeypatch.setattr(loader, "_of_package", lambda *_: frame.assign(vote=["yes", "no", "no ", None]))
    row = {"package": "p", "table": "t", "class": "vote", "dropped": "wage*", "unit": "who"}
    X, y = loader.load(row)
    assert list(X) == ["sex", "age"]
    assert isinstance(X["sex"].dtype, pd.CategoricalDtype)
    assert list(y) == ["yes", "no"]


def test_a_table_of_statsmodels_is_as_listed(loader):
    pytest.importorskip("statsmodels")
    both = pd.concat(loader.listed(side) for side in loader.SIDES).set_index("table", drop=False)
    facts = loader.facts_of(*loader.load(both.loc["anes96"].to_dict()))
    assert {name: facts[name] for name in loader.FACTS} == both.loc["anes96", loader.FACTS].to_dict()


def test_halves_share_no_row_and_keep_all_classes_under_the_cap(loader):
    y = pd.Series(np.repeat(["a", "b", "c"], [12_000, 3_000, 10]))
    for train, test in loader.halves(y):
        assert len(train) == len(test) == loader.CAP
        assert not set(train) & set(test)
        assert set(y.iloc[train]) == set(y.iloc[test]) == set("abc")
