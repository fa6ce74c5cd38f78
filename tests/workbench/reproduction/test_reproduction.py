"""A study compared with what a paper prints."""

import math
import tomllib
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import workbench
from tests.documents import document
from workbench.base.errors import WorkbenchError
from workbench.comparisons import five_by_two_t
from workbench.reproduction import Printed, Reproduction
from workbench.reproduction.before_and_after import before_and_after
from workbench.reproduction.counts import counts_of
from workbench.reproduction.judging.draws import (
    correlations,
    draws_of_half_widths,
    draws_of_means,
    half_widths,
    means,
)
from workbench.reproduction.judging.finding import tail_shares
from workbench.reproduction.judging.tested_cells import chances_of_rarity, outcome_shares, t_values
from workbench.reproduction.printed.cells import printed_number
from workbench.results import Results

PAPERS = ("korb2001", "hope2002", "hope2004_uci", "cleary1996")
NAMES = ("nb", "tan", "aode")


def study_of(values, failed=(), digest="rows"):
    """Make results of ``{(source, learner, metric): array of shape (replications, folds)}``."""
    cells, scores = [], []
    places = dict.fromkeys((source, learner) for source, learner, _ in values)
    for source, learner in places:
        own = {
            m: np.asarray(v, dtype=float) for (s, k, m), v in values.items() if (s, k) == (source, learner)
        }
        for replicate, fold in product(*map(range, next(iter(own.values())).shape)):
            state = "failed" if (source, learner) in failed else "done"
            message = "ValueError: too hard" if state == "failed" else ""
            cells.append((len(cells), source, replicate, 60, 0, fold, learner, 40, state, message,
                          f"{digest} {source} {replicate} {fold}"))  # fmt: skip
            if state == "done":
                scores += [
                    (len(cells) - 1, metric, "none", "test", "none", value[replicate, fold], 0)
                    for metric, value in own.items()
                ]
    columns = ["cell", "source", "replicate", "n_train", "training_set", "fold", "learner", "n_test", "state",
               "message", "test_digest"]  # fmt: skip
    study = document(
        {source: {"table": source} for source, _ in places},
        {learner: {"class": "x"} for _, learner in places},
        {"kind": "repeated_folds"},
        {"metrics": list(dict.fromkeys(metric for _, _, metric in values))},
    )
    score_columns = ["cell", "metric", "prior", "rows", "cutoff", "value", "n_infinite"]
    scores = pd.DataFrame(scores, columns=score_columns).assign(mc_error=0.0)
    return Results(
        study,
        pd.DataFrame(),
        pd.DataFrame(cells, columns=columns),
        scores,
    )


def printed_of(folder, rows, table="", *, columns="dataset,learner,value", top=""):
    """Read a file of printed tables, with one table of these lines."""
    Path(folder, "rows.csv").write_text("\n".join([columns, *rows]) + "\n")
    Path(folder, "all.csv").write_text(
        "dataset,learner\n" + "\n".join(f"d,{key}" for key in ("NB", "TAN", "AODE")) + "\n"
    )
    if "statistic" not in table:
        table += '\nstatistic = "mean"'
    if "metric" not in table:
        table += '\nmetric = "accuracy"'
    if "columns" not in table:
        pairs = ", ".join(f'{name} = "{name}"' for name in columns.split(","))
        table += f"\ncolumns = {{ {pairs} }}"
    keys = "\n".join(f'"{key.upper()}" = "{key}"' for key in NAMES)
    head = f'paper = "Somebody (1999)"\n{top}\n[learners]\n{keys}\n'
    Path(folder, "paper.toml").write_text(f'{head}[[tables]]\nname = "Table 1"\nfile = "rows.csv"\n{table}')
    return Printed.from_toml(Path(folder, "paper.toml"))


def judged_one(folder, values, print_, table="units = 4"):
    """Judge one printed value of nb on d."""
    results = study_of({("d", "nb", "accuracy"): values})
    return Reproduction.of(results, printed_of(folder, [f"d,NB,{print_}"], table)).cells.iloc[0]


# --- what is printed


def test_a_print_stands_for_what_is_rounded_or_truncated_to_it():
    def ends(text, **options):
        found = printed_number(text, **options)
        return float(found.low), float(found.high)

    assert ends("0.70") == (0.695, 0.705)
    assert ends("70") == (69.5, 70.5)
    assert ends("-1.5", decimals=3) == (-1.5005, -1.4995)
    assert ends("0.12", digits="truncated") == (0.12, 0.13)
    assert ends("-0.12", digits="truncated") == (-0.13, -0.12)
    difference = printed_number("0.5").minus(printed_number("0.2"))
    assert (float(difference.value), float(difference.low), float(difference.high)) == (0.3, 0.2, 0.4)
    with pytest.raises(WorkbenchError, match=r"a printed value is '0\.5 3'"):
        printed_number("0.5 3")


@pytest.fixture(scope="module")
def papers(experiments):
    return {name: Printed.from_toml(experiments / "papers" / name / "printed.toml") for name in PAPERS}


def figures_of(path):
    """Return the printed figures of a file: path, column and row; of a test what is printed is who wins."""
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    words = {"dataset", "dataset_as_printed", "learner", "scheme", "pair", "doubt"}
    columns = ["winner"] if "winner" in rows else [name for name in rows if name not in words]
    return {(path, name, i) for name in columns for i in rows.index if rows[name][i] != ""}


def test_every_printed_figure_is_in_one_table(experiments):
    printed = set().union(*map(figures_of, experiments.glob("papers/*/published/*.csv")))
    used = []
    for name in PAPERS:
        toml = tomllib.loads((experiments / "papers" / name / "printed.toml").read_text(encoding="utf-8"))
        for table in toml["tables"]:
            path = experiments / "papers" / name / table["file"]
            rows = pd.read_csv(path, dtype=str, keep_default_na=False)
            for column, wanted in table.get("where", {}).items():
                rows = rows[rows[column].isin([wanted] if isinstance(wanted, str) else wanted)]
            used += [(path, table["columns"].get("value", "winner"), i) for i in rows.index]
    assert len(used) == 784 + 291 + 464 + 226
    assert set(used) == printed
    assert len(used) == len(printed)


def keys_of(source):
    """Return the keys of a source's entry in TOML."""
    return [source["key"]] if "key" in source else source["dataset"]


def test_the_studies_have_what_the_papers_print(papers, experiments):
    for name, printed in papers.items():
        study = tomllib.loads((experiments / "papers" / name / "study.toml").read_text(encoding="utf-8"))
        learners = {one if isinstance(one, str) else one["key"] for one in study["learners"]}
        for table in printed.tables:
            used = set(table.cells["learner"]) | set(table.cells["other"])
            assert used - {""} <= learners, table.name
            assert set(table.cells["dataset"]) <= {key for one in study["sources"] for key in keys_of(one)}
            for score in filter(None, (table.score, table.other_score)):
                assert score.metric in {
                    m if isinstance(m, str) else m["key"] for m in study["scores"]["metrics"]
                }
                assert score.cutoff in study["scores"]["cutoffs"]
                assert score.prior in ("", *study["scores"]["priors"])


def test_what_is_judged_by_what(papers):
    by_name = {table.name: table for name in PAPERS for table in papers[name].tables}
    cut = {name: by_name[name].score for name in ("Table 2: information reward", "Table 3: miscalibration")}
    assert {name: (one.metric, one.cutoff) for name, one in cut.items()} == {
        "Table 2: information reward": ("good_reward", "2001"),
        "Table 3: miscalibration": ("miscalibration", "2001"),
    }
    both = by_name["Table 4: reward and accuracy"]
    assert (both.score.cutoff, both.other_score.metric, both.other_score.cutoff) == (
        "2001",
        "accuracy",
        "none",
    )
    half = by_name["Table 6: information reward"]
    assert (half.units, half.unit, half.score.metric, half.score.prior) == (
        1,
        "half",
        "bayesian_reward",
        "training",
    )
    rewards = by_name["Appendix A.1: reward less the mean of the learners"]
    assert (rewards.statistic, rewards.scale, rewards.unit) == (
        "contrast",
        "nats_times_classes",
        "replication",
    )
    assert len(rewards.cells) == 37 * 5
    assert {len(keys) for keys in rewards.cells["among"]} == {5}
    unknown = by_name["Table 6: accuracy and miscalibration"].cells.query("unknown != ''")
    assert unknown[["dataset", "learner"]].to_numpy().tolist() == [
        ["BC", "c45"],
        ["MU", "c45"],
        ["MU", "mml_tree"],
    ]
    odd = by_name["Table 1: significant differences of information reward"].cells
    assert odd["open"].sum() == (odd["printed"] == 0).sum()
    assert odd.query("dataset == 'horse-colic' and learner == 'aode' and other == 'tan'")["unknown"].item()
    blanks = by_name["Table 2: per cent correct"].cells.query("doubt != ''")
    assert len(blanks) == 2
    assert set(blanks["unknown"]) == {""}


# --- statistics and draws


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def test_statistics_of_draws_are_those_of_numpy(rng):
    x, y = rng.normal(5, 1, (12, 3)), rng.normal(size=(12, 3))
    weights = rng.multinomial(7, np.full(12, 1 / 12), size=20).astype(float)
    found = means(weights, x), half_widths(weights, x), correlations(weights, x, y)
    for b, j in product(range(20), range(3)):
        a, c = (np.repeat(one[:, j], weights[b].astype(int)) for one in (x, y))
        assert found[0][b, j] == pytest.approx(a.mean())
        assert found[1][b, j] == pytest.approx(1.96 * a.std(ddof=1))
        assert found[2][b, j] == pytest.approx(np.corrcoef(a, c)[0, 1])


def test_a_correlation_with_a_constant_is_undefined():
    x = np.full((5, 1), 0.1) * 3
    assert np.isnan(correlations(np.ones((1, 5)), x, np.arange(5.0)[:, None])).all()


def test_draws_of_means_scatter_as_a_further_mean_about_ours(rng):
    x = rng.normal(size=(12, 1))
    draws = draws_of_means(x, 4, seed=3).values[:, 0]
    scale = x.std(ddof=1) * np.sqrt(1 / 12 + 1 / 4)
    assert draws.mean() == pytest.approx(x.mean(), abs=0.05)
    expected = stats.t(11, x.mean(), scale)
    assert stats.kstest(draws, expected.cdf).statistic < 0.05


def test_draws_of_half_widths_scatter_by_a_factor_as_two_independent_ones(rng):
    x = rng.normal(size=(30, 200))
    logs = np.log(draws_of_half_widths(x, 30, seed=3).values).std(axis=0)
    kurtosis = stats.kurtosis(x, fisher=False)
    expected = np.sqrt((kurtosis - 1) / 4 * (1 / 30 + 1 / 30))  # to the first order
    assert np.median(logs / expected) == pytest.approx(1, abs=0.1)


def test_tail_shares_count_draws_beyond_the_nearest_end_and_ties_by_half():
    draws = np.array([[1.0], [2.0], [2.0], [3.0], [np.nan]])

    def tail(low, high):
        return tail_shares(draws, np.array([low]), np.array([high]))[0]

    assert tail(2.5, 2.5) == 2 * 1 / 4
    assert tail(3.0, 3.0) == 2 * 0.5 / 4
    assert tail(3.5, 4.0) == 0
    assert tail(2.9, 3.1) == 2 * 1 / 4
    assert tail(0.0, 1.0) == 2 * 0.5 / 4
    assert tail(1.9, 2.1) == 1


# --- verdicts of levels: prints of the same process, and of another

CELLS = [(f"d{i}", f"k{j}") for i in range(40) for j in range(10)]


def share_that_differs(folder, ours, prints, table, decimals=4):
    """Judge 400 prints, values being ``{metric: array of shape (400, replications, folds)}``."""
    values = {(*cell, metric): own[i] for metric, own in ours.items() for i, cell in enumerate(CELLS)}
    rows = [f"{d},{k},{value:.{decimals}f}" for (d, k), value in zip(CELLS, prints, strict=True)]
    columns = 'columns = { dataset = "dataset", learner = "learner", value = "value" }'
    keys = "\n".join(f"k{j} = 'k{j}'" for j in range(10))
    Path(folder, "rows.csv").write_text("\n".join(["dataset,learner,value", *rows]))
    Path(folder, "p.toml").write_text(
        f"paper = 'x'\n[learners]\n{keys}\n[[tables]]\nname = 't'\nfile = 'rows.csv'\n{columns}\n{table}"
    )
    found = Reproduction.of(study_of(values), Printed.from_toml(Path(folder, "p.toml")))
    assert (found.cells["verdict"] != "unknown").all()
    assert found.counts.loc["t", "expected_by_chance"] == pytest.approx(20)
    return float((found.cells["verdict"] != "agree").mean())


MEAN = "statistic = 'mean'\nmetric = 'accuracy'\n"


@pytest.mark.slow
@pytest.mark.parametrize("n_ours,n_printed", [(10, 5)])
def test_means_of_the_same_process_differ_in_5_percent(tmp_path, rng, n_ours, n_printed):
    ours, prints = rng.normal(0.8, 0.1, (400, n_ours, 1)), rng.normal(0.8, 0.1, (400, n_printed))
    table = f"{MEAN}units = {n_printed}"
    found = share_that_differs(tmp_path, {"accuracy": ours}, prints.mean(axis=1), table)
    assert 0.02 < found < 0.085  # three standard errors of 400 cells


@pytest.mark.slow
def test_a_print_of_one_half_is_held_against_single_halves(tmp_path, rng):
    halves = rng.binomial(77, 0.8, (400, 15, 2)) / 77
    prints = rng.binomial(77, 0.8, 400) / 77
    found = share_that_differs(
        tmp_path, {"accuracy": halves}, prints, f"{MEAN}units = 1\nunit = 'half'", decimals=7
    )
    assert 0.02 < found < 0.085


@pytest.mark.slow
def test_shifted_prints_differ(tmp_path, rng):
    ours, prints = rng.normal(0.8, 0.1, (400, 60, 1)), rng.normal(0.9, 0.1, (400, 25))
    assert share_that_differs(tmp_path, {"accuracy": ours}, prints.mean(axis=1), f"{MEAN}units = 25") > 0.95


def test_the_ends_of_what_is_printed_so_count(tmp_path):
    values = np.linspace(0.8, 0.802, 40)[:, None]  # their mean is 0.801
    assert judged_one(tmp_path, values, "0.80").verdict == "agree"
    assert judged_one(tmp_path, values, "0.790").verdict == "near"
    assert judged_one(tmp_path, values, "0.79", "units = 4\ndigits = 'truncated'").verdict == "near"
    assert judged_one(tmp_path, values, "0.80", "units = 4\ndigits = 'truncated'").verdict == "agree"
    assert judged_one(tmp_path, values, "0.790", "units = 4\ndecimals = 1").verdict == "agree"


def test_what_never_changes_agrees_only_with_itself(tmp_path):
    constant = np.full((6, 1), 0.1 + 0.2)
    one = judged_one(tmp_path, constant, "0.30")
    assert one[["verdict", "tail", "sd", "by_chance"]].tolist() == ["agree", 1, 0, 0]
    one = judged_one(tmp_path, constant, "0.31")
    assert one[["verdict", "tail"]].tolist() == ["near", 0]
    one = judged_one(tmp_path, constant, "0.32")
    assert one[["verdict", "tail"]].tolist() == ["differ", 0]
    one = judged_one(tmp_path, constant, "0.00", "units = 4\nstatistic = 'half_width'")
    assert (one.verdict, one.ours) == ("agree", 0)


def test_a_replication_is_the_mean_of_its_folds(tmp_path):
    values = np.array([[0.1, 0.3], [0.3, 0.1], [0.2, 0.2], [0.4, 0.0]])
    one = judged_one(tmp_path, values, "0.20", "units = 4\nunit = 'replication'")
    assert (one.n, one.sd, one.verdict) == (4, 0, "agree")
    assert judged_one(tmp_path, values, "0.20", "units = 4\nunit = 'half'").n == 8


def test_ours_is_scaled_as_the_paper_prints(tmp_path):
    values = np.array([[0.1], [0.3]])
    assert judged_one(tmp_path, values, "20", "units = 4\nscale = 'percent'").ours == pytest.approx(20)
    assert judged_one(tmp_path, values, "20", "units = 4\nscale = 'nats'").ours == pytest.approx(
        0.2 * math.log(2)
    )
    one = judged_one(tmp_path, values, "20", "units = 4\nscale = 'nats_times_classes'")
    assert "memory" in one.why


# --- unknown cells


@pytest.mark.parametrize(
    "values,print_,why",
    [
        ([[0.1], [0.2]], "NaN", "no number is printed"),
        ([[0.1], [-np.inf]], "0.1", "ours is infinite on 1 of 2 parts"),
        ([[0.1]], "0.1", "our study has 1 of the 2 units that a standard deviation needs"),
    ],
)
def test_what_cannot_be_judged_is_unknown(tmp_path, values, print_, why):
    one = judged_one(tmp_path, np.array(values), print_)
    assert (one.verdict, one.why) == ("unknown", why)
    assert math.isnan(one["tail"])
    assert one.by_chance == 0


def test_a_learner_that_failed_is_unknown(tmp_path):
    values = {("d", key, "accuracy"): np.ones((3, 1)) for key in NAMES[:2]}
    results = study_of(values, failed={("d", "nb")})
    found = Reproduction.of(results, printed_of(tmp_path, ["d,NB,1.0", "d,TAN,1.0"], "units = 4"))
    assert found.cells["verdict"].tolist() == ["unknown", "agree"]
    assert found.cells["why"][0] == "nb failed on 3 parts: too hard"


def test_prints_in_doubt_are_unknown_unless_they_are_to_be_judged(tmp_path):
    values = {("d", key, "accuracy"): np.array([[0.1], [0.2], [0.3]]) for key in NAMES}
    rows, columns = ["d,NB,0.2,smudged", "d,TAN,0.2,", "d,AODE,0.2,"], "dataset,learner,value,doubt"
    more = 'units = 4\n{}\n[[tables.doubts]]\nwhere = {{ learner = "AODE" }}\nwhy = "too good"'
    columns_toml = 'columns = { dataset = "dataset", learner = "learner", value = "value", doubt = "doubt" }'
    base = f'{columns_toml}\nstatistic = "mean"\nmetric = "accuracy"\n'
    found = Reproduction.of(
        study_of(values), printed_of(tmp_path, rows, base + more.format(""), columns=columns)
    )
    assert found.cells["verdict"].tolist() == ["unknown", "agree", "unknown"]
    assert found.cells["doubt"].tolist() == ["smudged", "", "too good"]
    assert "too good" in found.cells["why"][2]
    judged = base + more.format('doubtful = "judged"')
    found = Reproduction.of(study_of(values), printed_of(tmp_path, rows, judged, columns=columns))
    assert found.cells["verdict"].tolist() == ["agree"] * 3
    assert found.cells["doubt"].tolist() == ["smudged", "", "too good"]


# --- near


@pytest.mark.parametrize(
    "table,print_,verdict",
    [
        ("", "0.319", "near"),
        ("", "0.320", "differ"),
        ("near = 0.05", "0.34", "near"),
        ("near = 0.05", "0.35", "differ"),
        ("scale = 'percent'", "31.9", "near"),
        ("scale = 'percent'", "32.0", "differ"),
        ("statistic = 'half_width'", "0.019", "near"),
    ],
)
def test_what_differs_by_less_than_the_threshold_is_near(tmp_path, table, print_, verdict):
    one = judged_one(tmp_path, np.full((6, 1), 0.3), print_, f"units = 4\n{table}")
    assert one["verdict"] == verdict
    assert one["tail"] == (verdict == "agree")


@pytest.mark.parametrize(
    "table,message",
    [
        (
            "near = -1",
            "table 'Table 1' has near = -1",
        ),
        ("near = inf", "has near = inf: expected a difference"),
    ],
)
def test_a_threshold_that_cannot_be_used_is_named(tmp_path, table, message):
    with pytest.raises(WorkbenchError, match=message):
        printed_of(tmp_path, ["d,NB,0.5"], f"units = 4\n{table}")


# --- differences, contrasts and tests


def test_contrasts_are_levels_less_the_mean_of_the_data_set(tmp_path, rng):
    luck = rng.normal(0, 0.5, (30, 1))  # cancels between learners
    own = {
        key: luck + shift + rng.normal(0, 0.01, (30, 1))
        for key, shift in zip(NAMES, (0.0, 0.1, 0.8), strict=True)
    }
    values = {("d", key, "accuracy"): one for key, one in own.items()}
    rows = ["d,NB,7.0", "d,TAN,7.1", "d,AODE,7.5"]
    printed = printed_of(tmp_path, rows, "units = 5\nstatistic = 'contrast'")
    found = Reproduction.of(study_of(values), printed)
    cells = found.cells
    assert cells[["learner", "other"]].to_numpy().tolist() == [[key, ""] for key in NAMES]
    np.testing.assert_allclose(cells["printed"], [-0.2, -0.1, 0.3])  # 7.2 is their mean
    # 2/3 of a rounding of its own, and 1/3 of those of the two others
    np.testing.assert_allclose(cells["high"] - cells["printed"], 2 / 3 * 0.05 + 1 / 3 * 0.1)
    np.testing.assert_allclose(cells["printed"] - cells["low"], 2 / 3 * 0.05 + 1 / 3 * 0.1)
    mean = sum(one.mean() for one in own.values()) / 3
    np.testing.assert_allclose(cells["ours"], [one.mean() - mean for one in own.values()])
    assert cells["ours"].sum() == pytest.approx(0)
    assert (cells["sd"] < 0.02).all()
    assert cells["verdict"].tolist() == ["differ", "differ", "differ"]
    assert found.ranks["spearman"].tolist() == pytest.approx([1])
    shifted = {key: one + 123.0 for key, one in values.items()}  # levels up to a constant
    again = Reproduction.of(study_of(shifted), printed).cells
    np.testing.assert_allclose(again["ours"], cells["ours"])


@pytest.mark.parametrize(
    "rows,failed,why",
    [
        (["d,NB,0.5", "d,TAN,NaN", "d,AODE,0.1"], (), "no number is printed"),
        (["d,NB,0.5", "d,TAN,0.4", "d,AODE,0.1"], {("d", "tan")}, "tan failed on 9 parts: too hard"),
    ],
)
def test_a_learner_without_a_level_leaves_its_data_set_unknown(tmp_path, rng, rows, failed, why):
    values = {(source, key, "accuracy"): rng.normal(size=(9, 1)) for source in ("d", "e") for key in NAMES}
    rows = [*rows, "e,NB,0.5", "e,TAN,0.5", "e,AODE,0.4"]
    printed = printed_of(tmp_path, rows, "units = 5\nstatistic = 'contrast'")
    cells = Reproduction.of(study_of(values, failed=failed), printed).cells
    assert cells["why"].tolist() == [why] * 3 + [""] * 3
    assert (cells["verdict"][3:] != "unknown").all()


def test_differences_of_levels_are_judged_by_paired_differences(tmp_path, rng):
    luck = rng.normal(0, 0.5, (30, 1))  # cancels between learners
    values = {
        ("d", key, "accuracy"): luck + shift + rng.normal(0, 0.01, (30, 1))
        for key, shift in zip(NAMES, (0.0, 0.1, 0.3), strict=True)
    }
    rows = ["d,NB,7.00", "d,TAN,7.10", "d,AODE,7.50"]
    cells = Reproduction.of(
        study_of(values), printed_of(tmp_path, rows, "units = 5\nstatistic = 'difference'")
    ).cells
    assert cells[["learner", "other"]].to_numpy().tolist() == [["nb", "tan"], ["nb", "aode"], ["tan", "aode"]]
    np.testing.assert_allclose(cells["printed"], [-0.1, -0.5, -0.4])
    np.testing.assert_allclose(cells["high"] - cells["low"], 0.02)
    assert cells["verdict"].tolist() == ["agree", "differ", "differ"]
    assert (cells["sd"] < 0.02).all()


def test_t_of_many_sets_is_that_of_the_comparison(rng):
    d = rng.normal(0.5, 1, (8, 2, 3))
    d[:, :, 1] = 0.0
    d[:5, :, 2] = 0.25  # no spread in these
    sets = np.vstack([rng.integers(0, 8, (30, 5)), np.arange(5)])
    found = t_values(d, sets)
    for b, j in product(range(31), range(3)):
        expected = five_by_two_t(d[sets[b], :, j]).t
        np.testing.assert_allclose(found[b, j], expected)
    assert np.isnan(found[-1, 2])


def test_outcomes_are_shares_of_two_sided_tests_at_5_percent(rng):
    d = rng.normal(0.8, 1, (25, 2, 1))
    found = outcome_shares(d, seed=1)
    sets = np.random.default_rng(99).integers(0, 25, (4000, 5))
    first, halves = d[sets[:, 0], 0, 0], d[sets, :, 0]
    t = first / np.sqrt(halves.var(axis=2, ddof=1).mean(axis=1))
    share = (t > stats.t.ppf(0.975, 5)).mean()
    assert found.first[0] == pytest.approx(share, abs=0.03)
    np.testing.assert_allclose(found.first + found.second + found.neither, 1)
    swapped = outcome_shares(-d, seed=1)
    assert swapped.second[0] == found.first[0]


def test_sure_outcomes_are_never_rare_and_impossible_ones_always(rng):
    d = rng.normal(50, 1, (20, 2, 1))
    assert chances_of_rarity(d, seed=1)[:, 0].tolist() == [0, 1, 1, 1]  # first, second, neither, not first
    assert chances_of_rarity(-d, seed=1)[:, 0].tolist() == [1, 0, 1, 0]


TEST = (
    'statistic = "significance"\namong = "all.csv"\n'
    'columns = { dataset = "dataset", winner = "winner", loser = "loser", doubt = "doubt" }\n'
)
TEST_COLUMNS = "dataset,winner,loser,doubt"


@pytest.fixture
def far_apart(rng):
    """Return halves in which aode is far better than nb and tan, which are alike."""
    base = rng.normal(0, 0.01, (20, 2))
    return {
        ("d", key, "accuracy"): base + shift + rng.normal(0, 0.01, (20, 2))
        for key, shift in zip(NAMES, (0.0, 0.0, 0.5), strict=True)
    }


def test_printed_outcomes_are_judged_by_how_often_ours_has_them(tmp_path, far_apart):
    rows = ["d,AODE,NB,", "d,TAN,AODE,"]
    found = Reproduction.of(study_of(far_apart), printed_of(tmp_path, rows, TEST, columns=TEST_COLUMNS))
    cells = found.cells.set_index(["learner", "other"])
    assert cells.loc[("aode", "nb"), ["printed", "verdict"]].tolist() == [1, "agree"]
    assert cells.loc[("aode", "nb"), "ours"] > 0.99
    assert cells.loc[("tan", "aode"), ["tail", "verdict"]].tolist() == [0, "differ"]
    assert cells.loc[("nb", "tan"), ["printed", "verdict"]].tolist() == [0, "agree"]
    assert found.signs.loc["Table 1"].tolist() == [2, 1, 0.5]


def test_smaller_losses_win(tmp_path, far_apart):
    values = {(d, key, "log_loss"): own for (d, key, _), own in far_apart.items()}
    rows = ["d,NB,AODE,"]
    printed = printed_of(tmp_path, rows, TEST + 'metric = "log_loss"', columns=TEST_COLUMNS)
    cells = Reproduction.of(study_of(values), printed).cells
    assert cells["verdict"][0] == "agree"
    assert cells["mean_difference"][0] == pytest.approx(0.5, abs=0.02)


def test_a_later_winner_that_would_not_be_printed_is_unknown(tmp_path, far_apart):
    rows = ["d,NB,TAN,"]
    table = TEST + 'missing = "unknown_if_later"'
    cells = Reproduction.of(
        study_of(far_apart), printed_of(tmp_path, rows, table, columns=TEST_COLUMNS)
    ).cells
    cells = cells.set_index(["learner", "other"])
    assert "aode" in cells.loc[("nb", "aode"), "why"]
    assert "100%" in cells.loc[("nb", "aode"), "why"]
    cells = Reproduction.of(study_of(far_apart), printed_of(tmp_path, rows, TEST, columns=TEST_COLUMNS)).cells
    cells = cells.set_index(["learner", "other"])
    assert cells.loc[("nb", "aode"), "verdict"] == "differ"


def test_a_learner_that_beats_itself_leaves_its_pairs_unknown(tmp_path, far_apart):
    rows = ["d,AODE,AODE,a slip"]
    cells = Reproduction.of(study_of(far_apart), printed_of(tmp_path, rows, TEST, columns=TEST_COLUMNS)).cells
    assert cells["verdict"].tolist() == ["unknown", "agree", "unknown", "unknown"]
    assert cells["why"].tolist()[2:] == ["a slip", "a slip"]


@pytest.mark.parametrize(
    "shape,why",
    [
        ((4, 2), "ours has 4 replications, and a test needs 5"),
        ((9, 3), "ours is not a two-fold cross-validation"),
    ],
)
def test_without_five_replications_of_two_folds_there_is_no_test(tmp_path, rng, shape, why):
    values = {("d", key, "accuracy"): rng.normal(size=shape) for key in NAMES}
    cells = Reproduction.of(
        study_of(values), printed_of(tmp_path, ["d,NB,TAN,"], TEST, columns=TEST_COLUMNS)
    ).cells
    assert cells["why"].str.startswith(why).all()


def test_tests_are_counted_apart_by_whether_they_are_printed(tmp_path, far_apart):
    rows = ["d,AODE,NB,", "d,TAN,AODE,"]
    found = Reproduction.of(study_of(far_apart), printed_of(tmp_path, rows, TEST, columns=TEST_COLUMNS))
    assert found.counts.index.tolist() == ["Table 1: printed as significant", "Table 1: not printed"]
    assert found.counts[["cells", "agree", "differ"]].to_numpy().tolist() == [[2, 1, 1], [1, 1, 0]]
    assert found.signs.index.tolist() == ["Table 1"]


def test_a_difference_within_the_rounding_of_the_levels_agrees(tmp_path):
    tan = np.zeros((40, 1))
    nb = np.full((40, 1), 3e-5)
    nb[0, 0] -= 1e-3  # most draws lie above the mean, 5e-6
    values = {("d", "nb", "accuracy"): nb, ("d", "tan", "accuracy"): tan}
    rows = ["d,NB,7.00000", "d,TAN,7.00000"]
    one = Reproduction.of(
        study_of(values), printed_of(tmp_path, rows, "units = 5\nstatistic = 'difference'")
    ).cells.iloc[0]
    assert (one.low, one.ours) == pytest.approx((-1e-5, 5e-6))
    assert one[["verdict", "tail"]].tolist() == ["agree", 1]


# --- sizes


KEPT = """
name = "kept"
seed = 1
learners = ["prior"]
[[sources]]
dataset = "wine"
[design]
kind = "random_splits"
repeats = 3
[scores]
metrics = ["ir_b"]
priors = ["training"]
rows = ["test"]
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return results on wine that are kept in a store."""
    study = workbench.read_study(KEPT)
    path = tmp_path_factory.mktemp("kept") / "kept.db"
    workbench.run(study, path)
    return workbench.load(path)


@pytest.mark.parametrize(
    "fact,ours",
    [
        ("n_train", 118),
        ("majority_share", 71 / 178),
    ],
)
def test_facts_of_tables_come_from_the_store(tmp_path, kept, fact, ours):
    table = f'statistic = "size"\nfact = "{fact}"\ncolumns = {{ dataset = "dataset", value = "value" }}'
    printed = printed_of(tmp_path, [f"wine,,{ours:.3f}"], table)
    one = Reproduction.of(kept, printed).cells.iloc[0]
    assert (one.ours, one.verdict, one.learner) == (pytest.approx(ours), "agree", "")
    printed = printed_of(tmp_path, [f"wine,,{ours + 1:.3f}"], table)
    found = Reproduction.of(kept, printed)
    counts = found.counts.loc["Table 1"]
    assert counts[["cells", "agree", "near", "differ", "unknown"]].tolist() == [1, 0, 0, 1, 0]
    assert math.isnan(counts["median_difference"])
    assert found.total[["cells", "judged"]].tolist() == [0, 0]


def test_the_number_of_classes_turns_a_mean_over_classes_into_a_sum(tmp_path, kept):
    table = 'units = 2\nmetric = "ir_b"\nscale = "nats_times_classes"'
    printed_of(tmp_path, ["wine,NB,0.0"], table)
    text = Path(tmp_path, "paper.toml").read_text().replace('"nb"', '"prior"')
    Path(tmp_path, "paper.toml").write_text(text)
    one = Reproduction.of(kept, Printed.from_toml(Path(tmp_path, "paper.toml"))).cells.iloc[0]
    mean = kept.scores(kept.choose("ir_b"))["value"].mean()
    assert one.ours == pytest.approx(3 * math.log(2) * mean)


# --- all together


@pytest.fixture
def three(rng):
    return {
        (source, key, "accuracy"): rng.normal(0.5 + 0.1 * i, 0.05, (40, 1))
        for source in ("d", "e") for i, key in enumerate(NAMES)
    }  # fmt: skip


def test_counts_and_ranks_of_learners(tmp_path, three):
    rows = ["d,NB,0.5", "d,TAN,0.6", "d,AODE,0.7", "e,NB,0.9", "e,TAN,NaN", "e,AODE,0.8"]
    found = Reproduction.of(study_of(three), printed_of(tmp_path, rows, "units = 5"))
    assert found.counts.loc["Table 1"].tolist()[:5] == [6, 3, 0, 2, 1]
    assert found.counts.loc["Table 1", "expected_by_chance"] == pytest.approx(5 * 0.05)
    assert found.ranks[["table", "dataset", "n"]].to_numpy().tolist() == [
        ["Table 1", "d", 3],
        ["Table 1", "e", 2],
    ]
    assert found.ranks["spearman"].tolist() == pytest.approx([1, -1])
    assert found.sensitivity.empty
    rows = ["d,NB,0.5", "d,TAN,0.7", "d,AODE,0.6"]
    for statistic in ("mean", "difference"):
        printed = printed_of(tmp_path, rows, f"units = 5\nstatistic = '{statistic}'")
        ranks = Reproduction.of(study_of(three), printed).ranks
        assert ranks["spearman"].item() == pytest.approx(stats.spearmanr([1, 2, 3], [1, 3, 2]).statistic)


def counted(rows):
    """Return cells of (table, statistic, dataset, learner, other, printed, difference, verdict)."""
    columns = ["table", "statistic", "dataset", "learner", "other", "printed", "difference", "verdict"]
    cells = pd.DataFrame(rows, columns=columns)
    named = cells[["dataset", "learner", "other"]].itertuples(index=False, name=None)
    return cells.assign(by_chance=0.05 * (cells["verdict"] != "unknown"), printed_as=list(named))


COUNTED = [
    ("1", "mean", "d", "nb", "", 0.8, 0.001, "agree"),
    ("1", "mean", "d", "tan", "", 0.8, -0.01, "near"),
    ("1", "mean", "e", "nb", "", 0.8, -0.3, "differ"),
    ("1", "mean", "e", "tan", "", 0.8, 0.5, "differ"),
    ("1", "mean", "f", "nb", "", 0.8, 9.0, "unknown"),
    ("2", "size", "d", "", "", 7.0, 0.0, "agree"),
    ("2", "size", "e", "", "", 7.0, 1.0, "differ"),
    ("3", "significance", "d", "nb", "tan", 1.0, 0.2, "differ"),
    ("3", "significance", "e", "nb", "tan", 0.0, 0.2, "agree"),
    ("4", "half_width", "d", "nb", "", 0.1, 0.0, "agree"),
]


def test_cells_data_sets_and_distances_are_counted():
    found = counts_of(counted(COUNTED))
    words = ["cells", "agree", "near", "differ", "unknown", "datasets", "datasets_differ"]
    assert found.loc["1", words].tolist() == [5, 1, 1, 2, 1, 3, 1]
    assert found.loc["1", "median_difference"] == pytest.approx((0.01 + 0.3) / 2)  # of the four judged
    assert found.loc["1", "expected_by_chance"] == pytest.approx(4 * 0.05)
    assert found.loc["2", words].tolist() == [2, 1, 0, 1, 0, 2, 1]
    assert found["median_difference"].isna().tolist() == [False, True, True, True, False]


def test_the_total_leaves_free_cells_out(tmp_path, three):
    found = Reproduction.of(study_of(three), printed_of(tmp_path, ["d,NB,0.5"], "units = 5"))
    found = replace(found, cells=counted(COUNTED))
    words = ["cells", "judged", "agree", "near", "differ", "unknown", "datasets", "datasets_differ"]
    assert found.totals[words].to_numpy().tolist() == [
        [6, 5, 2, 1, 2, 1, 3, 1],  # tables 1 and 4
        [1, 1, 0, 0, 1, 0, 1, 1],  # the printed pair of table 3
        [7, 6, 2, 1, 3, 1, 3, 2],
    ]
    assert found.totals.index.tolist() == ["score cells", "tests printed as significant", "all"]
    assert found.total["agree_share"] == 2 / 6
    assert found.total["near_share"] == 1 / 6
    assert found.total["differ_share"] == 3 / 6
    assert found.total["expected_by_chance"] == pytest.approx(6 * 0.05)


# --- before and after


def test_verdicts_before_and_after_are_of_cells_judged_in_both():
    after = counted(COUNTED)
    # The keys of the study were others; the names in the paper are not.
    before = after.assign(dataset="x", learner="y", difference=0.4, verdict="differ")
    before.loc[1, "verdict"] = "agree"
    before.loc[3, "verdict"] = "unknown"
    found = before_and_after(before, after).set_index(["table", "learner"])
    assert found.columns.tolist() == [
        "cells", "agree_before", "agree_after", "near_before", "near_after", "differ_before", "differ_after",
        "median_before", "median_after",
    ]  # fmt: skip
    counts = found.drop(columns=["median_before", "median_after"])
    assert counts.loc["all", "all"].tolist() == [5, 1, 2, 0, 1, 4, 2]
    assert counts.loc["all", "nb"].tolist() == [4, 0, 2, 0, 0, 4, 2]
    assert counts.loc["all", "tan"].tolist() == [2, 1, 0, 0, 1, 1, 1]  # of a level, and of a pair
    assert counts.loc["1", "all"].tolist() == [3, 1, 1, 0, 1, 2, 1]
    assert counts.loc["3", "tan"].tolist() == [1, 0, 0, 0, 0, 1, 1]
    assert "2" not in counts.index.get_level_values("table")
    assert found.loc[("1", "all"), ["median_before", "median_after"]].tolist() == [0.4, 0.01]
    assert found.loc[("1", "nb"), "median_after"] == pytest.approx((0.001 + 0.3) / 2)
    assert found.loc[["all", "3"], ["median_before", "median_after"]].isna().all().all()
    with pytest.raises(WorkbenchError, match="no cell"):
        before_and_after(before.assign(table="other"), after)


def test_studies_with_other_keys_are_compared_by_printed_names(tmp_path, three):
    rows = ["d,NB,0.500", "d,TAN,0.600", "e,NB,0.900"]
    printed = printed_of(tmp_path, rows, "units = 5")
    after = Reproduction.of(study_of(three), printed)
    text = Path(tmp_path, "paper.toml").read_text()
    old = text.replace('"NB" = "nb"', '"NB" = "old_nb"') + "\n[datasets]\nd = 'D1'"
    Path(tmp_path, "old.toml").write_text(old)
    turned = {
        (source.replace("d", "D1"), key.replace("nb", "old_nb"), metric): own + 0.3
        for (source, key, metric), own in three.items()
    }
    before = Reproduction.of(study_of(turned), Printed.from_toml(Path(tmp_path, "old.toml")))
    found = after.compared_with(before).set_index(["table", "learner"])
    words = ["cells", "agree_before", "agree_after", "differ_before", "differ_after"]
    assert found.loc[("Table 1", "all"), words].tolist() == [3, 0, 2, 3, 1]
    assert found.loc[("Table 1", "NB"), words].tolist() == [2, 0, 1, 2, 1]
    assert found.loc[("Table 1", "TAN"), "median_before"] == pytest.approx(before.cells["difference"][1])
    with pytest.raises(WorkbenchError, match="needs the data set 'd'"):
        Reproduction.of(study_of(turned), printed)


def test_a_verdict_does_not_hang_on_other_cells_nor_on_chance(tmp_path, three):
    rows = ["d,NB,0.52", "e,TAN,0.61"]
    both = Reproduction.of(study_of(three), printed_of(tmp_path, rows, "units = 5"))
    alone = Reproduction.of(study_of(three), printed_of(tmp_path, rows[1:], "units = 5"))
    assert both.cells["tail"][1] == alone.cells["tail"][0]
    again = Reproduction.of(study_of(three), printed_of(tmp_path, rows, "units = 5"))
    pd.testing.assert_frame_equal(again.cells, both.cells)
    other = Reproduction.of(study_of(three), printed_of(tmp_path, rows, "units = 5"), seed=1)
    assert other.cells["tail"].tolist() != both.cells["tail"].tolist()


def test_ablations_tell_which_cells_they_move(tmp_path, three):
    turned = {("d", "nb__better", "accuracy"): three["d", "nb", "accuracy"] + 0.3,
              ("e", "nb__better", "accuracy"): three["e", "nb", "accuracy"] + 0.3}  # fmt: skip
    rows = ["d,NB,0.80", "e,NB,0.50", "d,TAN,0.6"]
    found = Reproduction.of(study_of(three), printed_of(tmp_path, rows, "units = 5"), study_of(turned))
    (row,) = found.sensitivity.to_dict("records")
    assert (row["ablation"], row["learner"], row["table"], row["cells"]) == ("nb__better", "nb", "Table 1", 2)
    assert (row["moved_in"], row["moved_out"]) == (1, 1)
    assert row["before"] == pytest.approx(row["after"], rel=0.2)
    assert row["before"] > 3


def test_an_ablation_on_other_splits_is_refused(tmp_path, three):
    turned = {("d", "nb__better", "accuracy"): three["d", "nb", "accuracy"][:30]}
    printed = printed_of(tmp_path, ["d,NB,0.500", "e,NB,0.500"], "units = 5")
    with pytest.raises(WorkbenchError, match=r"ablations .*'d'"):
        Reproduction.of(study_of(three), printed, study_of(turned, digest="other rows"))
    one_only = Reproduction.of(study_of(three), printed, study_of(turned))  # the ablations lack e
    assert one_only.sensitivity["cells"].tolist() == [1]


def score_ablation(folder, rows, table="units = 5", ablation="score = { metric = 'log_loss' }"):
    """Read a file of printed tables with an ablation of the score of Table 1."""
    printed_of(folder, rows, table)
    text = Path(folder, "paper.toml").read_text()
    more = f"\n[[ablations]]\nname = 'another score'\ntables = ['Table 1']\n{ablation}\n"
    Path(folder, "paper.toml").write_text(text + more)
    return Printed.from_toml(Path(folder, "paper.toml"))


def test_another_score_is_judged_on_the_study_that_has_it(tmp_path, three):
    both = {(d, k, m): own + (m == "log_loss") * 0.3 for (d, k, _), own in three.items()
            for m in ("accuracy", "log_loss")}  # fmt: skip
    printed = score_ablation(tmp_path, ["d,NB,0.80", "e,NB,0.50", "d,TAN,0.6"])
    found = Reproduction.of(study_of(both), printed)
    (row,) = found.sensitivity.to_dict("records")
    assert [row[key] for key in ("ablation", "learner", "table")] == ["another score", "all", "Table 1"]
    assert [row[key] for key in ("cells", "moved_in", "moved_out")] == [3, 1, 2]
    assert found.unjudged == ()
    assert found.cells["ours"][1] == pytest.approx(three["e", "nb", "accuracy"].mean())  # is not turned
    # Of the ablations' study, which lacks tan, and on its splits alone, however the main study came out.
    turned = {key: own[:20] for key, own in both.items() if key[1] == "nb"}
    variant = {("d", "nb__x", m): both["d", "nb", m][:20] for m in ("accuracy", "log_loss")}
    found = Reproduction.of(study_of(three), printed, study_of({**turned, **variant}))
    row = found.sensitivity.query("learner == 'all'").iloc[0]
    assert row[["cells", "moved_in", "moved_out"]].tolist() == [2, 1, 1]
    own = Reproduction.of(
        study_of(turned), printed_of(tmp_path, ["d,NB,0.80", "e,NB,0.50"], "units = 5")
    ).cells
    assert row["before"] == pytest.approx((own["difference"].abs() / own["sd"]).mean())


def test_another_score_that_nobody_has_is_said_to_be_lacking(tmp_path, three):
    printed = score_ablation(tmp_path, ["d,NB,0.80"])
    found = Reproduction.of(study_of(three), printed)
    assert found.sensitivity.empty
    (line,) = found.unjudged
    assert "'another score'" in line
    assert "log_loss" in line
    # The ablations have the score, yet of the variant alone.
    turned = {("d", "nb__x", m): three["d", "nb", "accuracy"] for m in ("accuracy", "log_loss")}
    found = Reproduction.of(study_of(three), printed, study_of(turned))
    assert found.sensitivity["learner"].tolist() == ["nb"]
    assert found.unjudged == (line,)
    # A study of plain learners alone serves for scores, and for nothing else.
    plain = study_of({("d", "nb", m): three["d", "nb", "accuracy"] for m in ("accuracy", "log_loss")})
    found = Reproduction.of(study_of(three), printed, plain)
    assert found.sensitivity["learner"].tolist() == ["all"]


@pytest.mark.parametrize(
    "ablation,message",
    [
        ("", "an ablation has no 'score': every ablation needs name, tables, score"),
        ("score = { metrics = 'x' }", "unknown key 'metrics' of the score of the ablation 'another score'"),
    ],
)
def test_mistakes_in_an_ablation_are_named(tmp_path, ablation, message):
    with pytest.raises(WorkbenchError, match=message):
        score_ablation(tmp_path, ["d,NB,0.80"], ablation=ablation)


# --- errors, each in one sentence


@pytest.mark.parametrize(
    "table,top,message",
    [
        ("unit = 'splits'", "", "'splits'.*'split'"),
        ("unots = 4", "", "'unots'.*'units'"),
        ("", "papers = 1", "'papers'.*'paper'"),
        (
            "statistic = 'half_width'\nunits = 1",
            "",
            "units = 1: a half_width needs a whole number, 2 or more",
        ),
        (
            "statistic = 'half_width'",
            "",
            "has no 'units'",
        ),
        ("statistic = 'size'\nfact = 'rows'", "", "unknown fact 'rows' of table"),
        ("cutoff = 2001", "", "cutoff = 2001"),
        ("columns = { datasets = 'dataset' }", "", "unknown key 'datasets' of the columns"),
        (
            "where = { learners = 'NB' }",
            "",
            "'learners'.*'learner'",
        ),
    ],
)
def test_mistakes_in_the_file_are_named(tmp_path, table, top, message):
    # Lines of a table of TOML go before tables of tables.
    head = 'statistic = "mean"\n' if "statistic" not in table else ""
    head += 'metric = "accuracy"\n'
    head += "units = 4\n" if "units" not in table and "half_width" not in table else ""
    head += (
        'columns = { dataset = "dataset", learner = "learner", value = "value" }\n'
        if "columns" not in table
        else ""
    )
    if "size" in table:
        head = head.replace('learner = "learner", ', "")
    with pytest.raises(WorkbenchError, match=message):
        printed_of(tmp_path, ["d,NB,0.5"], head + table, top=top)


@pytest.mark.parametrize(
    "old,new,message",
    [
        ('file = "rows.csv"', "file = 3", "table 'Table 1' has file = 3"),
        (
            "units = 4",
            "units = 4\nwhere = { k = true }",
            "has where = { k = True }",
        ),
        ("units = 4", "units = 4\ndoubts = [3]", r"table 'Table 1' has doubts = \[3\]"),
        ('value = "value"', "value = 3", "the columns of table 'Table 1' have value = 3"),
    ],
)
def test_values_of_the_wrong_kind_are_named(tmp_path, old, new, message):
    table = 'units = 4\ncolumns = { dataset = "dataset", learner = "learner", value = "value" }'
    printed_of(tmp_path, ["d,NB,0.5,3"], table, columns="dataset,learner,value,k")
    path = Path(tmp_path, "paper.toml")
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(WorkbenchError, match=message):
        Printed.from_toml(path)


@pytest.mark.parametrize(
    "rows,message",
    [
        (
            ["d,NB,0.5", "d,TAN,0,5"],
            "table 'Table 1' names the file .*rows.csv, line 3: the row has 4 values: expected 3",
        ),
        (["d,NB,0.5", "d,TAN,"], "table 'Table 1': on line 3 of rows.csv a printed value is ''"),
        (
            ["d,NB,0.5", "d,TAN,0.5", "d,NB,0.6"],
            "'Table 1' has the cell of d, NB twice, on line 2 of rows.csv and on line 4 of rows.csv",
        ),
    ],
)
def test_a_row_that_cannot_be_meant_is_named(tmp_path, rows, message):
    with pytest.raises(WorkbenchError, match=message):
        printed_of(tmp_path, rows, "units = 4", top="[datasets]\nD = 'd'")


def test_an_outcome_twice_is_named_whoever_wins(tmp_path):
    with pytest.raises(WorkbenchError, match="has the cell of d, TAN, NB twice, on line 2"):
        printed_of(tmp_path, ["d,NB,TAN,", "d,TAN,NB,"], TEST, columns=TEST_COLUMNS)


@pytest.mark.parametrize(
    "rows,table,message",
    [
        (
            ["f,NB,0.5"],
            "units = 4",
            "needs the data set 'f'",
        ),
        (
            ["d,AODE,0.5"],
            "units = 4",
            "needs the learner 'aode'",
        ),
        (
            ["d,NB,0.5"],
            "metric = 'ir_b'\nunits = 4",
            "Table 1' needs a score that the study lacks: these results have no ir_b",
        ),
    ],
)
def test_what_the_study_lacks_is_named(tmp_path, rows, table, message):
    results = study_of({("d", key, "accuracy"): np.ones((3, 1)) for key in NAMES[:2]})
    with pytest.raises(WorkbenchError, match=message):
        Reproduction.of(results, printed_of(tmp_path, rows, table))


@pytest.mark.parametrize(
    "key,message",
    [
        ("kdb__k3", "'kdb__k3'"),
        ("nb_better", "'nb_better'"),
    ],
)
def test_ablations_are_variants_of_learners(tmp_path, three, key, message):
    ablations = study_of({("d", key, "accuracy"): np.ones((3, 1))})
    with pytest.raises(WorkbenchError, match=message):
        Reproduction.of(study_of(three), printed_of(tmp_path, ["d,NB,0.5"], "units = 4"), ablations)
