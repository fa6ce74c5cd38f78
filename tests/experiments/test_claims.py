"""The script that judges the claims of the 2004 simulation: its rules on made-up values, and a small run."""

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import workbench
from workbench.analyses import Experiment
from workbench.base.score_key import ScoreKey
from workbench.comparisons import PairedDifference
from workbench.report.renderers.markdown import END, START

PAPER = Path(__file__).resolve().parents[2] / "experiments" / "papers" / "hope2004_simulation"
PLACE = PAPER / "claims.py"


@pytest.fixture(scope="module")
def claims():
    """Import the script by its path, as experiments/ is no package."""
    spec = importlib.util.spec_from_file_location("hope2004_claims", PLACE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def pair(difference, half_width, p_holm=0.5, learner="nb", other="tan"):
    low, high = difference - half_width, difference + half_width
    return PairedDifference(
        50, learner, other, difference, low, high, 1.0, 0.0, 39, p_holm / 2, p_holm, difference
    )


def experiment(means, source="naive_bayes", spread=0.001, n=40):
    """Make scores with exactly the given means (learner by size)."""
    means = np.asarray(means, dtype=float)
    noise = np.random.default_rng(0).normal(scale=spread, size=(n, *means.shape))
    score = ScoreKey("ir_b", "marginal", "exact", "none")
    names = ("nb", "tan", "aode", "camml")
    return Experiment(
        source, score, names, (50, 500, 5000), tuple(range(n)), means + noise - noise.mean(axis=0)
    )


@pytest.mark.parametrize(
    ("pairs", "verdict", "value"),
    [
        ([(0.001, 0.005), (-0.010, 0.005)], "agree", -0.010),
        ([(0.001, 0.005), (0.010, 0.015)], "unclear", 0.010),
        ([(0.021, 0.005), (0.0, 0.100)], "unclear", 0.0),
        ([(0.030, 0.005), (0.0, 0.100)], "disagree", 0.030),
        ([(-0.030, 0.005), (0.028, 0.001)], "disagree", 0.028),
    ],
)
def test_learners_are_alike_when_every_interval_is_within_the_tolerance(claims, pairs, verdict, value):
    judged = claims.judge_alike([pair(*one) for one in pairs])
    assert (judged.verdict, judged.effects[0].value) == (verdict, value)


@pytest.mark.parametrize(
    ("pairs", "verdict", "value"),
    [
        ([(0.1, 0.05, 0.001), (0.2, 0.05, 0.049)], "agree", 0.1),
        ([(0.1, 0.05, 0.001), (0.2, 0.30, 0.050)], "unclear", 0.2),
        ([(0.1, 0.05, 0.001), (-0.2, 0.30, 0.300)], "unclear", -0.2),
        ([(-0.9, 2.0, 0.400), (-0.1, 0.05, 0.001)], "disagree", -0.1),
    ],
)
def test_an_order_needs_every_pair_to_be_significant_in_its_direction(claims, pairs, verdict, value):
    judged = claims.judge_order([pair(*one) for one in pairs])
    assert (judged.verdict, judged.effects[0].value) == (verdict, value)


@pytest.mark.parametrize(
    ("means", "verdict"),
    [
        ([(-0.30, 0.1), (0.10, 0.1)], "agree"),
        ([(-0.20, 0.1), (0.12, 0.05)], "unclear"),
        ([(-0.20, 0.1), (0.12, 0.01)], "disagree"),
        ([(-0.40, 0.05), (0.05, 0.01)], "disagree"),
    ],
)
def test_the_range_is_left_when_a_whole_interval_lies_outside(claims, means, verdict):
    effects = [claims.Effect("NB at 50", value, value - half, value + half) for value, half in means]
    judged = claims.judge_range(reversed(effects))
    assert judged.verdict == verdict
    assert [effect.value for effect in judged.effects] == [value for value, _ in means]


@pytest.mark.parametrize(
    ("favored", "others", "verdict", "decides"),
    [
        ((0.00, 0.01), [(-0.10, 0.05), (-0.05, 0.01)], "agree", -0.05),
        ((0.00, 0.01), [(-0.10, 0.09), (-0.05, 0.01)], "agree", -0.10),
        ((0.00, 0.01), [(-0.10, 0.20), (-0.05, 0.01)], "unclear", -0.10),
        ((0.00, 0.01), [(-0.10, 0.10), (-0.05, 0.01)], "unclear", -0.10),
        ((-0.01, 0.02), [(-0.10, 0.01)], "agree", -0.10),
        ((-0.10, 0.05), [(-0.20, 0.01)], "disagree", -0.20),
        ((0.00, 0.01), [(0.05, 0.10), (-0.05, 0.01)], "unclear", 0.05),
        ((0.00, 0.01), [(0.05, 0.10), (0.04, 0.01)], "disagree", 0.04),
    ],
)
def test_only_the_favored_learner_may_reach_zero(claims, favored, others, verdict, decides):
    first, *rest = [
        claims.Effect("", value, value - half, value + half) for value, half in [favored, *others]
    ]
    judged = claims.judge_only_not_below(first, rest)
    assert (judged.verdict, judged.effects[1].value) == (verdict, decides)


# Learners NB, TAN, AODE, CaMML by sizes 50, 500, 5000, as the paper has them.
AS_PRINTED = {
    "naive_bayes": [[0.30, 0.36, 0.37], [0.30, 0.36, 0.37], [0.30, 0.36, 0.37], [0.20, 0.36, 0.37]],
    "tan": [[0.10, 0.20, 0.22], [0.15, 0.37, 0.40], [0.20, 0.31, 0.34], [0.15, 0.37, 0.40]],
    "aode": [[-0.1, 0.02, 0.03], [-0.2, 0.01, 0.05], [-0.1, 0.05, 0.08], [0.00, 0.02, 0.06]],
}


def test_data_as_the_paper_has_them_agree_with_all_nine_claims(claims):
    made = {source: experiment(means, source) for source, means in AS_PRINTED.items()}
    verdicts = {claim.number: claim.rule(made[claim.source]).verdict for claim in claims.CLAIMS}
    assert verdicts == dict.fromkeys(range(1, 10), "agree")


def test_data_the_other_way_round_disagree_with_all_nine_claims(claims):
    made = {source: experiment(-3 * np.asarray(means), source) for source, means in AS_PRINTED.items()}
    made["naive_bayes"] = experiment([[0.1, 0.1, 0.1], [0.2, 0.2, 0.2], [0.3, 0.3, 0.3], [0.4, 0.4, 0.4]])
    verdicts = {claim.number: claim.rule(made[claim.source]).verdict for claim in claims.CLAIMS}
    assert verdicts == dict.fromkeys(range(1, 10), "disagree")


def test_equal_means_tell_no_order(claims):
    level = experiment(np.zeros((4, 3)), "tan", spread=0.5)
    assert {claim.rule(level).verdict for claim in claims.CLAIMS if claim.source == "tan"} == {"unclear"}


def test_the_overall_verdict_counts_the_main_study_and_the_conditions(claims):
    def overall(main, *conditions):
        own = {
            claims.Condition("tan", str(i), "", "one"): claims.Judgment(verdict, ())
            for i, verdict in enumerate(conditions)
        }
        first = claims.Judgment(main, ())
        return claims.JudgedClaim(claims.CLAIMS[3], first, claims.Judgment("agree", ()), own, own).overall

    assert overall("agree", "agree", "agree") == "agree"
    assert overall("unclear", "agree", "agree") == "depends"
    assert overall("unclear", "disagree", "unclear") == "disagree"
    assert overall("unclear", "unclear", "unclear") == "unclear"


def test_only_factors_whose_levels_differ_are_named(claims):
    verdicts = {("rows a", "one"): "agree", ("rows a", "two"): "agree",
                ("rows b", "one"): "unclear", ("rows b", "two"): "disagree"}  # fmt: skip
    judgments = {
        claims.Condition("tan", law, "", smoothing): claims.Judgment(verdict, ())
        for (law, smoothing), verdict in verdicts.items()
    }
    assert claims.dependence(judgments) == "rows a 2 of 2, rows b 0 of 2"


def test_a_source_key_is_read_as_a_condition(claims):
    assert claims.condition_of("aode_own_dirichlet_half", "n0") == ("aode", "Dirichlet(1/2)", "own", "N0")
    assert claims.condition_of("naive_bayes_uniform", "one")[1:3] == ("normalized uniforms", "")


def small_store(toml: Path, folder: Path) -> Path:
    """Run a study with 3 models of 2 or 3 attributes in place of 40 of 3 to 7."""
    text = toml.read_text()
    for full, small in {
        "replicates = 40": "replicates = 3",
        "n_attributes = [3, 7]": "n_attributes = [2, 3]",
        "n_test = 1000": "n_test = 40",
        '"cart", ': "",
    }.items():
        text = text.replace(full, small)
    store = folder / f"{toml.stem}.db"
    workbench.run(workbench.read_study(text), store=store)
    return store


@pytest.mark.slow
def test_every_claim_gets_its_verdicts_from_small_studies(claims, tmp_path, monkeypatch):
    study, factors = (small_store(PAPER / name, tmp_path) for name in ("study.toml", "factors.toml"))
    notes = tmp_path / "notes.md"
    notes.write_text(f"by hand\n\n{START}\n{END}\n\nby hand too\n")
    arguments = ["--study", str(study), "--factors", str(factors), "--to", str(notes)]
    monkeypatch.setattr(sys, "argv", [str(PLACE), *arguments])
    claims.main()
    text = notes.read_text()
    assert text.startswith("by hand\n")
    assert text.endswith("by hand too\n")
    assert "Models of each kind and condition: 3." in text
    rows = [
        line
        for line in text.splitlines()
        if line.startswith(("| NB data: (", "| TAN data: (", "| AODE data: ("))
    ]
    cells = [row.strip("| ").split(" | ") for row in rows[:9]]
    assert len(rows) == 9 + len(claims.WITHOUT_TAN)
    assert {len(row) for row in cells} == {6}
    assert {row[1] for row in cells} == {"difference, within models", "mean, between models"}
    assert {verdict for row in cells for verdict in row[3::2]} <= {"agree", "disagree", "unclear"}
    effects = r"[^;]+: -?\d+\.\d{3} \(-?\d+\.\d{3} to -?\d+\.\d{3}\)"
    for row in cells:
        for decides in row[2::2]:  # by each measure, the numbers of its own
            assert re.fullmatch(f"{effects}(; {effects})?", decides)
        assert row[2] != row[4]
    assert text.count(" of 18 |") == 6
    assert "nan" not in text


@pytest.mark.slow
def test_superparent_stands_in_for_tan_and_factors_may_be_left_out(claims, tmp_path, monkeypatch):
    study = small_store(PAPER / "superparent.toml", tmp_path)
    notes = tmp_path / "notes.md"
    texts = {}
    for tan in ("tan_superparent", "tan"):
        notes.write_text(f"{START}\n{END}\n")
        options = ["--study", str(study), "--tan", tan, "--to", str(notes)]
        monkeypatch.setattr(sys, "argv", [str(PLACE), *options])
        claims.main()
        texts[tan] = notes.read_text()
    whole = claims.main_experiments(workbench.load(study), "tan_superparent")
    one = whole[claims.EXACT, "tan"]
    assert set(one.learners) == {"nb", "tan", "aode", "camml"}
    frame = workbench.load(study).scores(one.score)
    own = frame[(frame["source"] == "tan") & (frame["learner"] == "tan_superparent")]
    assert one.values[:, one.learners.index("tan"), :].mean() == pytest.approx(own["value"].mean())
    assert texts["tan"] != texts["tan_superparent"]
    for text in texts.values():
        heads = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
        assert heads[0] == "The claims in the main study"
        assert not [head for head in heads if "condition" in head]


@pytest.mark.slow
def test_a_claim_is_judged_under_every_condition(claims):
    made = {source: experiment(means, source) for source, means in AS_PRINTED.items()}
    study = {(measure, source): one for measure in claims.MEASURES for source, one in made.items()}
    conditions = {
        (measure, claims.Condition(source, law, class_prior, smoothing)): made[source]
        for measure in claims.MEASURES
        for source in made
        for law in claims.LAWS.values()
        for class_prior in (("own", "shared") if source == "aode" else ("",))
        for smoothing in claims.SMOOTHINGS.values()
    }
    judged = claims.judge_claims(claims.CLAIMS, study, conditions)
    assert [len(one.conditions) for one in judged] == [9] * 6 + [18] * 3
    assert {one.overall for one in judged} == {"agree"}
