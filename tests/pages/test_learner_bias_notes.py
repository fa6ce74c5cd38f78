"""The notes on learner bias: what the parts of the study have, and that any run makes their tables."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from runpy import run_path

import numpy as np
import pandas as pd
import pytest

from generators.suites.suite import suite
from workbench import read_study, run

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "learner_bias"
NOTES = (FOLDER / "notes.md").read_text(encoding="utf-8")
PARTS = ("study", "optimal", "boosting", "spread")
OTHERS = ("axes", "wide")


@pytest.fixture(scope="module")
def script():
    """Return the names of the script; it imports from its own folder."""
    path, modules = list(sys.path), set(sys.modules)
    yield run_path(str(FOLDER / "write_notes.py"))
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name in ("drawing", "other_parts"):
            del sys.modules[name]


@pytest.fixture(scope="module")
def studies():
    return {name: read_study(FOLDER / f"{name}.toml") for name in (*PARTS, *OTHERS)}


def test_the_main_study_has_all_kinds_eight_sizes_and_two_hundred_truths(studies):
    study = studies["study"]
    assert [source.key for source in study.sources] == list(suite("bias-v1").kinds)
    assert (len(study.design.sizes), study.design.sizes[0], study.design.sizes[-1]) == (8, 20, 20_000)
    assert (study.design.replicates, study.design.training_sets) == (200, 1)


def test_the_parts_meet_the_truths_of_the_main_study(studies):
    main = {source.key: source for source in studies["study"].sources}
    for name in PARTS[1:]:
        assert studies[name].seed == studies["study"].seed
        assert all(source == main[source.key] for source in studies[name].sources), name
    key = "tan"
    first = [studies[name].source(key).draw(seed=2026, replicate=3) for name in ("study", "spread")]
    assert first[0].to_json() == first[1].to_json()


def test_bias_and_variance_have_twenty_sets_of_the_learners_of_the_main_study(studies):
    spread = studies["spread"]
    assert (spread.design.replicates, spread.design.training_sets) == (10, 20)
    keys = {name: {one.key for one in studies[name].learners} for name in ("study", "spread")}
    assert keys["spread"] == keys["study"] - {"prior", "averaged_assumptions_7", "c45_laplace"}


def test_every_level_of_an_axis_has_the_same_kinds(studies):
    levels: dict[str, set[str]] = {}
    for name in OTHERS:
        for source in studies[name].sources:
            kind, level = source.key.split(", ")
            levels.setdefault(level, set()).add(kind)
    without = {"naive_bayes", "tan", "aode"}
    for level, kinds in levels.items():
        assert kinds >= without
        assert kinds <= without | {"dag"}, level


@pytest.fixture
def small(studies):
    """Return the studies with few truths, sizes and sets, without the slowest learners."""
    sizes = {"spread": (50, 400, 3000, 20000), "boosting": (50, 400), "axes": (50, 500), "wide": (50,)}
    found = {}
    for name, study in studies.items():
        own = study.design.training_sets > 1
        n_truths = 6 if name in ("study", "optimal") else 2  # thirds of two each by difficulty
        design = replace(
            study.design, replicates=n_truths, n_test=100, sizes=sizes.get(name, (20, 50, 1000)),
            training_sets=2 if own else 1,
        )  # fmt: skip
        slow = ("boosting",) if name == "boosting" else ()
        learners = tuple(one for one in study.learners if one.key not in slow)
        sources = tuple(one for one in study.sources if name not in OTHERS or one.key.endswith(LEVELS))
        found[name] = replace(study, design=design, learners=learners, sources=sources)
    return found


LEVELS = ("base", "concentration 3", "10 attributes")


@pytest.mark.slow
def test_the_tables_of_the_notes_are_made_from_stores(script, small, tmp_path, monkeypatch):
    names = script["main"].__globals__
    monkeypatch.setitem(names, "read_study", lambda path: small[path.stem])
    monkeypatch.setattr(names["of_parts"], "BOOSTED", ("boosting_leaf5",))
    for name, study in small.items():
        if name != "spread":
            run(study, tmp_path / f"{study.name}.db")
    page = tmp_path / "notes.md"
    page.write_text("<!-- generated -->\n<!-- end -->\n", encoding="utf-8")
    given = ["--stores", str(tmp_path), "--figures", str(tmp_path), "--to", str(page), "--jobs", "1"]
    monkeypatch.setattr(sys, "argv", ["write_notes.py", *given])
    script["main"]()
    text = page.read_text(encoding="utf-8")
    heads = re.compile(r"^### (.+)$", flags=re.MULTILINE)
    assert heads.findall(text) == heads.findall(NOTES)
    spread = pd.read_csv(tmp_path / "learner_bias_spread.csv")
    total = spread["bias_corrected"] + spread["variance_corrected"]
    assert (total - spread["loss"]).abs().max() < 1e-10
    for name in ("map", "loss", "parts"):
        assert (tmp_path / f"learner_bias_{name}.png").stat().st_size > 10_000
        assert f"learner_bias_{name}.png" in NOTES
    assert np.isfinite(total).all()
