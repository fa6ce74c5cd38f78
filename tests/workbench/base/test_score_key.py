"""The key of a score is written and read as one word."""

import itertools
import re

import pytest

from workbench.base.errors import WorkbenchError
from workbench.base.score_key import CUTOFFS, PREFERRED_PRIORS, PREFERRED_ROWS, ScoreKey, preference


def test_every_key_is_read_as_it_is_written():
    for words in itertools.product(PREFERRED_PRIORS, PREFERRED_ROWS, CUTOFFS):
        key = ScoreKey("ir_b", *words)
        assert ScoreKey.parse(str(key)) == key
        assert ScoreKey.parse(key) is key


@pytest.mark.parametrize("text", ["", "ir_b", "ir_b/marginal", "ir_b//test", "/training", "ir_b///2002"])
def test_parts_that_are_left_out_stay_open(text):
    asked = ScoreKey.parse(text)
    assert str(asked) == text
    assert asked.fits(ScoreKey(*(part or "none" for part in asked)))


def test_no_text_leaves_all_open():
    assert ScoreKey.parse(None) == ScoreKey("", "", "", "")


def test_a_part_that_is_said_must_be_the_same():
    assert not ScoreKey.parse("ir_b/training").fits(ScoreKey("ir_b", "marginal", "exact", "none"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ir_b/margnal", "unknown prior 'margnal' in score 'ir_b/margnal'; did you mean 'marginal'?"),
        ("ir_b/test/tests", "unknown rows 'tests' in score 'ir_b/test/tests'; did you mean 'test'?"),
        ("a/none/test/2003", "unknown cutoff '2003' in score 'a/none/test/2003'; did you mean '2002'?"),
        ("a/b/c/d/e", "score 'a/b/c/d/e' has 5 parts: expected metric/prior/rows/cutoff"),
        (7, 'score is 7: expected text such as "ir_b/marginal/exact/none"'),
    ],
)
def test_errors_name_what_was_given_and_what_was_expected(text, message):
    with pytest.raises(WorkbenchError, match="^" + re.escape(message)):
        ScoreKey.parse(text)


def test_exact_scores_come_first_then_the_marginal_prior_then_no_cutoff():
    keys = [ScoreKey("m", *w) for w in itertools.product(PREFERRED_PRIORS, PREFERRED_ROWS, CUTOFFS)]
    first = sorted(keys, key=preference)[:4]
    assert [str(key) for key in first] == [
        "m/none/exact/none", "m/none/exact/2001", "m/none/exact/2002", "m/marginal/exact/none",
    ]  # fmt: skip


def test_words_leave_out_what_has_no_choice():
    assert (
        ScoreKey("ir_b", "marginal", "exact", "2002").words
        == "IR_B (exact, marginal prior, clipped as in 2002)"
    )
    assert ScoreKey("accuracy", "none", "exact", "none").words == "accuracy (exact)"
