"""Learners enter the arena by a command, a file or a package; one that cannot is said, and the rest goes "
"on."""

import numpy as np
import pytest
from typer.testing import CliRunner

from workbench.arena.entering import entered, newcomers
from workbench.base.errors import WorkbenchError
from workbench.cli.app import app
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
        ([], "entrants = 1", "has no entrants"),
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
    from workbench.profiles.entrants import Entrant

    broken = {"broken": Entrant("broken", "broken", "others", "no.such.module:Thing")}
    monkeypatch.setattr("workbench.arena.entering.entrants_of_packages", lambda: broken)
    found, notes = newcomers([], None, reference)
    assert found == {}
    assert notes[0].startswith("broken, of an installed package, does not take part: ")


@pytest.mark.slow
def test_an_entrant_stands_next_to_the_others(reference, tmp_path) -> None:
    path = tmp_path / "entrants.toml"
    path.write_text(FILE, encoding="utf-8")
    found, _ = newcomers([], path, reference)
    field = entered(found, reference, minutes=1, folder=tmp_path, part=SuitePart(2, 50))
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


def _quick(scores, entrants, *, failures, n_resamples):
    from workbench.arena.content import arena_content

    few = scores.only(learners=["truth", "optimal", "prior", "nb", "tan", "c45"], n_truths=2, sizes=[50, 500])
    return arena_content(few, entrants, failures=failures, n_resamples=2)
