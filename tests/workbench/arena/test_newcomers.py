"""Learners enter the arena by a command, a file or a package; one that cannot is said, and the rest goes "
"on."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from workbench.arena.newcomers import entered, newcomers
from workbench.base.errors import WorkbenchError
from workbench.cli.app import app
from workbench.profiles.entrants import Entrant
from workbench.profiles.measure import Measured
from workbench.profiles.part import SuitePart
from workbench.profiles.reference import read_reference
from workbench.profiles.scores import LOSS

FILE = """
[entrants.careful]
learner = "nb"
title = "naive Bayes, careful"
parameters = { alpha = 0.5 }
"""


@pytest.fixture
def reference():
    return read_reference()


@pytest.mark.parametrize(
    ("words", "text", "sentence"),
    [
        (["nb"], None, "an entrant 'nb' is there already"),
        (["no.such.module:Thing"], None, "entrant 'thing' cannot enter"),
        ([], "[entrants.x]\ntitle = 'x'", "entrant 'x' has no learner"),
        (
            [],
            "[entrants.x]\nlearner = 'nb'\ntitel = 'x'",
            "unknown word 'titel' of entrant 'x'; did you mean 'title'",
        ),
        (
            [],
            "[entrants.mine]\nlearner = 'nb'",
            "entrant 'mine' cannot enter: it is the reference learner 'nb'",
        ),
        ([], "[", "cannot be read"),
        ([], "[entrants.'../../evil']\nlearner = 'c45'", "entrant '../../evil' cannot name a file: expected"),
        ([], "[entrants.x]\nlearner = 'nb'\ninput = 'hot'", "learner 'x' has the input 'hot'"),
    ],
)
def test_bad_entrants_are_one_sentence(words, text, sentence, reference, tmp_path) -> None:
    file = None
    if text is not None:
        file = tmp_path / "entrants.toml"
        file.write_text(text, encoding="utf-8")
    with pytest.raises(WorkbenchError) as raised:
        newcomers(words, file, reference)
    assert sentence in str(raised.value)


def test_a_package_that_cannot_be_imported_is_said(monkeypatch, reference) -> None:
    broken = {"broken": Entrant("broken", "broken", "others", "no.such.module:Thing")}
    monkeypatch.setattr("workbench.arena.newcomers.entrants_of_packages", lambda: broken)
    found, notes = newcomers([], None, reference)
    assert found == {}
    assert notes[0].startswith("broken, of an installed package, does not take part: ")


def test_a_package_whose_key_is_a_path_is_said(monkeypatch, reference) -> None:
    found = {"a/b": Entrant("a/b", "a/b", "others", "c45", {"min_rows": 3})}
    monkeypatch.setattr("workbench.arena.newcomers.entrants_of_packages", lambda: found)
    assert newcomers([], None, reference)[1][0].startswith(
        "a/b, of an installed package, does not take part: entrant 'a/b' cannot name a file"
    )


@pytest.mark.parametrize(("n_failed", "takes_part"), [(226, True), (227, False)])
def test_a_learner_that_failed_in_most_fits_does_not_take_part(
    reference, tmp_path, monkeypatch, n_failed, takes_part
) -> None:
    part = SuitePart(2, 50)
    cells = [("mine", "tan-narrow-medium", 0, 50, "failed", "ValueError: no.")] * n_failed
    columns = ["learner", "source", "replicate", "n_train", "state", "message"]
    scores = replace(reference.scores.only(learners=["nb"]), learners=("mine",))
    found = Measured(scores, part, pd.DataFrame(cells, columns=columns))
    monkeypatch.setattr("workbench.arena.newcomers.measured", lambda *given, **options: found)
    entrants = {"mine": Entrant("mine", "mine", "others", "nb", {"alpha": 2})}
    field = entered(entrants, reference, minutes=1, folder=tmp_path, part=part)
    assert part.n_cells == 452
    assert ("mine" in field.scores.learners) == ("mine" in field.measured) == takes_part
    said = ("mine does not take part: it failed in 227 of 452 fits: ValueError: no.",)
    assert field.notes == (() if takes_part else said)


@pytest.mark.process
def test_an_entrant_stands_next_to_the_others(reference, tmp_path) -> None:
    path = tmp_path / "entrants.toml"
    path.write_text(FILE, encoding="utf-8")
    found, _ = newcomers([], path, reference)
    field = entered(found, reference, minutes=1000, folder=tmp_path, part=SuitePart(2, 50))
    own = field.scores.values[LOSS][field.scores.at("careful")]
    assert np.isfinite(own[:, :2, :2]).sum() == 2 * (54 * 2 + 118)
    assert field.entrants["careful"].title == "naive Bayes, careful"
    assert (tmp_path / "careful.db").exists()


@pytest.mark.slow
def test_the_command_writes_the_site(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("workbench.arena.site.arena_content", _quick)
    words = ["arena", "--to", str(tmp_path / "site"), "--no-profiles", "--stores", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "site: " in done.stdout
    assert (tmp_path / "site" / "learners" / "nb.html").exists()


def _quick(scores, entrants, *, failures, newcomers, n_resamples):
    from workbench.arena.content import arena_content

    few = scores.only(learners=["truth", "optimal", "prior", "nb", "tan", "c45"], n_truths=2, sizes=[50, 500])
    assert newcomers == ()
    return arena_content(few, entrants, failures=failures, n_resamples=2)
