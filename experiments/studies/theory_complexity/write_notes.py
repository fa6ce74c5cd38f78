"""Measure which number known from the training rows chooses the learner that does best on other rows.

Run from the root of the repository, after the studies `study.toml` and `truths.toml` of this folder and
`training_scores.py` for both:

    python experiments/studies/theory_complexity/write_notes.py STORE --scores FOLDER \
        --truths STORE --truths-scores FOLDER --to NOTES.md --figure FIGURE.png

On every split the learners are ranked by what is known from the training rows, and judged by S_f of the test
rows. Subjects of all intervals are the data sets, or the truths, never the splits. Writes between the markers
of the notes.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from workbench import Results, load
from workbench.report import notes

sys.path.insert(0, str(Path(__file__).parent))
from predicted_lengths import draw

#: Of each code, as printed and by counts: significance, and bits of the classes given the theory.
CODES = {
    "as printed": ("significance", "frequency_complexity"),
    "by counts": ("significance_by_count", "frequency_complexity_by_count"),
}
PLAIN, WHOLE, WEIGHED, CV = "S_f", "S_f - I(T)", "S_f - slope I(T)", "cross-validated S_f"
CV_JUDGE = "cross-validated judge"
QUARTER, PER_LEAF = "S_f - I(T)/4", "S_f - (log n)/2 per leaf"
LEAVES, WALLACE = "I(T) and leaf classes", "Wallace-Patrick message"


def _parameters(own: pd.DataFrame) -> pd.Series:
    """Free parameters: the class frequencies of leaves, rules or groups."""
    return own["n_leaves"] * (own["n_classes"] - 1)


#: Criteria that rank learners, all from the training rows; more is better.
CRITERIA: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    PLAIN: lambda own: own["saved_train"],
    QUARTER: lambda own: own["saved_train"] - own["theory"] / 4,
    WEIGHED: lambda own: own["saved_train"] - own["slope"] * own["theory"],  # the slope of other subjects
    WHOLE: lambda own: own["saved_train"] - own["theory"],
    PER_LEAF: lambda own: own["saved_train"] - own["n_leaves"] * np.log2(own["n_train"]) / 2,
    "AIC": lambda own: -own["leaf_bits"] - _parameters(own) * np.log2(np.e),
    "BIC": lambda own: -own["leaf_bits"] - _parameters(own) * np.log2(own["n_train"]) / 2,
    LEAVES: lambda own: -(own["theory"] - own["theory_classes"] + own["leaf_message"]),
    WALLACE: lambda own: -own["wallace"],  # trees only
    "accuracy": lambda own: own["accuracy_train"],
    CV: lambda own: own["cv_saved"],
    "cross-validated accuracy": lambda own: own["cv_accuracy"],
    CV_JUDGE: lambda own: own["cv_judge"],  # only where another score than S_f judges
}
#: Those of tables that cannot show all.
SHOWN = (PLAIN, WEIGHED, WHOLE, "AIC", "BIC", LEAVES, "cross-validated accuracy", CV)
ANY, OTHERS, HINDSIGHT = "any learner", "best of the other subjects", "best of the subject, in hindsight"
CORRELATION, BEST, REGRET = "rank correlation", "best chosen [%]", "regret [bits/100 rows]"
#: Codes of a theory, of which the slope of the loss is found.
THEORY_CODES: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "I(T)": lambda own: own["theory"],
    "(log n)/2 per leaf": lambda own: own["n_leaves"] * np.log2(own["n_train"]) / 2,
    "AIC's charge": lambda own: _parameters(own) * np.log2(np.e),
    "Wallace and Patrick, without classes": lambda own: own["wallace"] - own["leaf_message"],
}
#: Theories of one kind are stated in one code, so that their lengths can be compared more safely.
FAMILIES = {
    "trees": ("one_r", "stump", "c45", "c45_unpruned", "c50", "mml_tree", "mml_graph"),
    "rules": ("c45rules", "foil", "induct_rdr", "induct_dnf"),
}
#: Other scores that judge: the columns of test rows and of cross-validation.
JUDGES = {
    "IR_B, leaves smoothed alike [bits/100 rows]": ("alike_test", "cv_alike"),
    "IR_B, own probabilities [bits/100 rows]": ("reward_test", "cv_reward"),
    "accuracy [%]": ("accuracy_test", "cv_accuracy"),
}
PLACE = ["source", "n_train", "replicate"]
#: Rows of a group, and the columns that name its subjects.
Groups = dict[str, tuple[pd.DataFrame, list[str]]]
#: Regret by group: a row per subject, a column per criterion.
Regrets = dict[str, pd.DataFrame]
SAME = 1e-9  # bits that make no difference


def read(results: Results, code: str, scores: Path) -> pd.DataFrame:
    """Return one row per split and learner: bits of the theory and of both halves, and other scores."""
    frame = results.frame()
    saved, bits = CODES[code]
    named = {("theory_complexity", "none", "none"): "theory", ("ir_b", "test", "2002"): "reward_test"}
    for rows, short in (("training", "train"), ("test", "test")):
        named |= {(saved, rows, "none"): f"saved_{short}", (bits, rows, "none"): f"bits_{short}"}
        named[("accuracy", rows, "none")] = f"accuracy_{short}"
    keys = zip(frame["metric"], frame["rows"], frame["cutoff"], strict=True)
    columns = pd.Series(list(keys), frame.index).map(named)
    wide = (
        frame.assign(what=columns)
        .dropna(subset="what")
        .pivot_table(index=[*PLACE, "learner"], columns="what", values="value", observed=True, sort=False)
    )
    n_test = results.cells().groupby("source", observed=True)["n_test"].first()
    found = wide.dropna(subset="theory").reset_index()  # the truth states no theory
    found[["source", "learner"]] = found[["source", "learner"]].astype(str)
    others = pd.concat([pd.read_csv(path) for path in sorted(scores.glob("*.csv"))])
    joined = found.merge(others, on=["source", "replicate", "learner"], suffixes=("", "_again"))
    joined = joined[(joined["n_train"] - joined["n_train_again"]).abs() <= 1]
    assert len(joined) == len(found), "training_scores.py has not computed the same cells"
    assert np.allclose(joined["theory"], joined["theory_again"]), "the rows or learners have changed"
    joined = joined.assign(n_test=joined["source"].map(n_test).astype(int))
    return joined.assign(judge=joined["saved_test"], cv_judge=np.nan)


def judged(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row per split and criterion: whether its choice is best, the loss, and the ranking."""
    found = []
    usable = {name: made for name, made in CRITERIA.items() if made(rows).notna().all()}
    values = pd.DataFrame({name: made(rows) for name, made in usable.items()})
    for place, own in rows.groupby(PLACE, observed=True, sort=False):
        test, n_test = own["judge"].to_numpy(), own["n_test"].iloc[0]
        for name, value in values.loc[own.index].items():
            chosen = (value >= value.max() - SAME).to_numpy()  # several share the choice
            found.append((*place, name, *_judged(test, chosen, n_test), _spearman(value.to_numpy(), test)))
        found.append((*place, ANY, *_judged(test, np.ones(len(test), bool), n_test), np.nan))
    return pd.DataFrame(found, columns=[*PLACE, "criterion", BEST, REGRET, CORRELATION])


def _judged(test: np.ndarray, chosen: np.ndarray, n_test: int) -> tuple[float, float]:
    lost = test.max() - test[chosen]
    return 100 * float((lost <= SAME).mean()), 100 * float(lost.mean()) / n_test


def _spearman(one: np.ndarray, other: np.ndarray) -> float:
    """Undefined where either is the same for all learners."""
    if np.ptp(one) <= SAME or np.ptp(other) <= SAME:
        return np.nan
    return float(np.corrcoef(stats.rankdata(one.round(9)), stats.rankdata(other.round(9)))[0, 1])


def of_one_learner(rows: pd.DataFrame, subject: list[str]) -> pd.DataFrame:
    """Judge one learner for all splits: the best of the other subjects, and that of the subject itself."""
    place = rows.groupby(PLACE, observed=True, sort=False)
    lost = place["judge"].transform("max") - rows["judge"]
    each = rows.assign(**{BEST: 100.0 * (lost <= SAME), REGRET: 100 * lost / rows["n_test"]})
    means = each.groupby([*subject, "learner"], observed=True)[[BEST, REGRET]].mean().reset_index()
    regret = means.pivot_table(index=subject, columns="learner", values=REGRET, observed=True)
    others = (regret.sum() - regret) / (len(regret) - 1)
    choices = {OTHERS: others.idxmin(axis=1), HINDSIGHT: regret.idxmin(axis=1)}
    return pd.concat(
        chosen.rename("learner").reset_index().merge(means, on=[*subject, "learner"]).assign(criterion=name)
        for name, chosen in choices.items()
    )


def by_subject(rows: pd.DataFrame, subject: list[str]) -> dict[str, pd.DataFrame]:
    """Average over the splits of each data set or truth; one frame per measure, one column per criterion."""
    slope = overfitting(rows, subject, THEORY_CODES["I(T)"])["slope"]
    of_others = ((slope.sum() - slope) / (len(slope) - 1)).rename("slope").reset_index()
    rows = rows.merge(of_others, on=subject, how="left")
    rows["slope"] = rows["slope"].fillna(slope.mean())
    each = pd.concat([judged(rows), of_one_learner(rows, subject)])
    return {
        measure: each.pivot_table(index=subject, columns="criterion", values=measure, observed=True)
        for measure in (CORRELATION, BEST, REGRET)
    }


def overfitting(rows: pd.DataFrame, subject: list[str], code: Callable[..., pd.Series]) -> pd.DataFrame:
    """Return, by subject, how the loss from training to test rows depends on the length of a theory."""
    per_row = rows["bits_test"] / rows["n_test"] - rows["bits_train"] / rows["n_train"]
    table = rows.assign(loss=per_row * rows["n_train"], length=code(rows)).dropna(subset="length")
    found = []
    for place, own in table.groupby(PLACE, observed=True, sort=False):
        length, loss = own["length"].to_numpy(), own["loss"].to_numpy()
        if np.ptp(length) > SAME:
            found.append((*place, _spearman(length, loss), float(np.polyfit(length, loss, 1)[0])))
    frame = pd.DataFrame(found, columns=[*PLACE, CORRELATION, "slope"])
    return frame.groupby(subject, observed=True)[[CORRELATION, "slope"]].mean()


def interval(values: pd.Series, decimals: int = 2) -> str:
    """Write the mean over the subjects with its interval."""
    return notes.interval(values.dropna(), decimals)


def criteria_table(wide: dict[str, pd.DataFrame]) -> str:
    """Return one row per criterion; its last cells are regrets less those of two others, by subject."""
    regret, body = wide[REGRET], []
    for name in (*CRITERIA, ANY, OTHERS, HINDSIGHT):
        if name in regret:
            cells = [interval(frame[name]) if name in frame else "" for frame in wide.values()]
            less = [interval(regret[name] - regret[over]) if name != over else "" for over in (PLAIN, CV)]
            body.append([name, *cells, *less])
    return notes.table(["learners ranked by", *wide, f"regret, less {PLAIN}", f"regret, less {CV}"], body)


def regrets_of(groups: Groups) -> Regrets:
    """Return the regret of all criteria in every group."""
    return {name: by_subject(rows, subject)[REGRET] for name, (rows, subject) in groups.items()}


def regret_table(title: str, regrets: Regrets, names: Iterable[str], over: str = "") -> str:
    """Return a row per group of subjects, a column per criterion: its regret, or that less another's."""
    body = []
    for group, regret in regrets.items():
        less = regret[over] if over else 0.0
        body.append([group, *[interval(regret[n] - less) if n in regret else "" for n in names]])
    return notes.table([title, *[f"{n}, less {over}" if over else n for n in names]], body)


def short_codes_table(title: str, regrets: Regrets) -> str:
    """Return, by group, the regret of short codes of theories, and that less the regret of other criteria."""
    body = []
    for group, regret in regrets.items():
        overs = (WHOLE, PLAIN, CV_JUDGE if CV_JUDGE in regret else CV)
        cells = [
            [interval(regret[name]), *[interval(regret[name] - regret[over]) for over in overs]]
            for name in (PER_LEAF, QUARTER)
        ]
        body.append([group, *cells[0], *cells[1]])
    less = [f"less {WHOLE}", f"less {PLAIN}", "less cross-validated"]
    return notes.table([title, PER_LEAF, *less, QUARTER, *less], body)


def by_table(rows: pd.DataFrame, wide: dict[str, pd.DataFrame]) -> str:
    """Return one row per data set: three criteria side by side, and what each mostly chooses."""
    names = (PLAIN, WHOLE, CV)
    head = [*[f"regret, {name}" for name in names], *[f"{name} chooses mostly" for name in names]]
    sizes = rows.groupby("source")["n_train"].first()
    body = []
    for source, regret in wide[REGRET].iterrows():
        own = rows[rows["source"] == source]
        mostly = []
        for name in names:
            value = CRITERIA[name](own)
            top = value >= value.groupby([own[p] for p in PLACE]).transform("max") - SAME
            mostly.append(str(own["learner"][top].value_counts().idxmax()))
        body.append([source, sizes[source], *[f"{regret[n]:.2f}" for n in names], *mostly])
    return notes.table(["data set", "rows", *head], body)


def overfitting_table(groups: Groups) -> str:
    """Return one row per group of subjects and code of theories."""
    body = []
    for title, (rows, subject) in groups.items():
        for code, made in THEORY_CODES.items():
            found = overfitting(rows, subject, made)
            if len(found):
                body.append([title, code, interval(found[CORRELATION]), interval(found["slope"])])
    head = ["learners, subjects", "code of the theory", CORRELATION, "slope [bits lost/bit of theory]"]
    return notes.table(head, body)


def per_row(rows: pd.DataFrame, subject: list[str]) -> pd.DataFrame:
    """Bits per row by subject and learner: found on test rows, predicted without the theory and with."""
    each = rows.assign(
        found=rows["bits_test"] / rows["n_test"],
        without=rows["bits_train"] / rows["n_train"],
        whole=(rows["bits_train"] + rows["theory"]) / rows["n_train"],
    )
    names = ["found", "without", "whole"]
    return each.groupby([*subject, "learner"], observed=True)[names].mean().reset_index()


def calibration(points: pd.DataFrame) -> str:
    """Return one row per learner: predicted less found bits, subject by subject."""
    head = ["learner", "found [bits/row]", "predicted without I(T), less found", "with I(T), less found"]
    body = []
    for learner in [*points["learner"].unique(), None]:
        own = points if learner is None else points[points["learner"] == learner]
        own = own.groupby([c for c in PLACE if c in own], observed=True)[["found", "without", "whole"]].mean()
        less = [interval(own[name] - own["found"], 3) for name in ("without", "whole")]
        body.append([str(learner or "mean of all"), f"{own['found'].mean():.3f}", *less])
    return notes.table(head, body)


def without(rows: pd.DataFrame, **left_out: tuple[str, ...]) -> pd.DataFrame:
    """Leave out learners or data sets."""
    for column, names in left_out.items():
        rows = rows[~rows[column].isin(names)]
    return rows


def judged_by(rows: pd.DataFrame, words: str) -> pd.DataFrame:
    """Judge by another score of the test rows, the mean over them, where it was cross-validated too."""
    test, validated = JUDGES[words]
    judged_so = rows.assign(judge=rows[test] * rows["n_test"], cv_judge=rows[validated])
    return judged_so.dropna(subset="cv_judge")


def variations(rows: pd.DataFrame, counted: pd.DataFrame) -> Groups:
    """Return subsets of the data sets and learners, and S_f counted otherwise."""
    few = rows["n_train"] < 120
    found = {
        "all": rows,
        "S_f by counts": counted,
        "trees only": without(rows, learner=FAMILIES["rules"]),
        "rules only": without(rows, learner=FAMILIES["trees"]),
        "without induct_rdr": without(rows, learner=("induct_rdr",)),
        "without one_r, stump": without(rows, learner=("one_r", "stump")),
        "without c45rules, foil, induct_dnf": without(rows, learner=("c45rules", "foil", "induct_dnf")),
        "without G2, V1, HY": without(rows, source=("G2", "V1", "HY")),
        "without GL, SO, LA": without(rows, source=("GL", "SO", "LA")),
        "fewer than 120 rows": rows[few],
        "120 rows and more": rows[~few],
    }
    return {name: (own, ["source"]) for name, own in found.items()}


def of_data_sets(rows: pd.DataFrame, counted: pd.DataFrame) -> dict[str, str]:
    """Return the tables of data sets."""
    wide = by_subject(rows, ["source"])
    varied = regrets_of(variations(rows, counted))
    title = "Sensitivity on data sets: regret"
    return {
        f"Choosing a learner on {len(wide[REGRET])} data sets": criteria_table(wide),
        title: regret_table("variation", varied, (*SHOWN, OTHERS)),
        f"{title} less that of {CV}": regret_table("variation", varied, SHOWN[:-1], over=CV),
        "Regret, and the learner that is chosen mostly, by data set": by_table(rows, wide),
        "Code length of a test row, data sets": calibration(per_row(rows, ["source"])),
    }


def of_truths(truths: pd.DataFrame) -> dict[str, str]:
    """Return the tables of truths, each of one size."""
    by = ["source", "replicate"]
    kinds: Groups = {
        f"{kind}, {n} rows": (own, by) for (kind, n), own in truths.groupby(["source", "n_train"], sort=False)
    }
    tables = {
        f"Choosing a learner on truths, {n} rows": criteria_table(by_subject(own, by))
        for n, own in truths.groupby("n_train", sort=False)
    }
    largest = truths[truths["n_train"] == truths["n_train"].max()]
    n = largest["n_train"].iloc[0]
    return tables | {
        "Regret by kind of truth": regret_table("truths", regrets_of(kinds), (*SHOWN, ANY, OTHERS)),
        f"Code length of a test row, truths, {n} training rows": calibration(per_row(largest, by)),
    }


def of_both(rows: pd.DataFrame, truths: pd.DataFrame) -> dict[str, str]:
    """Return the tables that compare families of learners, and codes of their theories."""
    all_learners: Groups = {"data sets": (rows, ["source"])}
    for n, own in truths.groupby("n_train", sort=False):
        all_learners[f"truths, {n} rows"] = own, ["source", "replicate"]
    within: Groups = {
        f"{family}, {name}": (own[own["learner"].isin(members)], by)
        for family, members in FAMILIES.items()
        for name, (own, by) in all_learners.items()
    }
    trees = {name: pair for name, pair in within.items() if name.startswith("trees")}
    other: Groups = {
        f"{words}, {name}": (judged_by(own, words), by)
        for words in JUDGES
        for name, (own, by) in (all_learners | trees).items()
    }
    families, judges = regrets_of(within), regrets_of(other)
    short = regrets_of(all_learners) | families | {k: v for k, v in judges.items() if k.startswith("IR_B")}
    names = (*SHOWN[:-1], WALLACE)
    title, judge = "Regret judged by other scores of the test rows", "judge, subjects"
    return {
        "Regret within a family": regret_table("family, subjects", families, (*names, CV, OTHERS)),
        f"Regret within a family less that of {CV}": regret_table(
            "family, subjects", families, names, over=CV
        ),
        "Short codes of theories: regret, and regret less that of others": short_codes_table(judge, short),
        title: regret_table(judge, judges, (*names, CV, CV_JUDGE, OTHERS)),
        f"{title}, less that of {PLAIN}": regret_table(judge, judges, (*names[1:], CV_JUDGE), over=PLAIN),
        f"{title}, less that of the {CV_JUDGE}": regret_table(judge, judges, names, over=CV_JUDGE),
        "Loss and length of the theory, all learners": overfitting_table(all_learners),
        "Loss and length of the theory, by family": overfitting_table(within),
    }


def generated(rows: pd.DataFrame, counted: pd.DataFrame, truths: pd.DataFrame) -> str:
    """Write all tables."""
    sections = of_data_sets(rows, counted) | of_both(rows, truths) | of_truths(truths)
    return "\n\n".join(f"### {title}\n\n{own}" for title, own in sections.items())


def main() -> None:
    """Read the stores, judge the criteria, write the notes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("store", "--scores", "--truths", "--truths-scores", "--to"):
        parser.add_argument(name, type=Path, **({} if name == "store" else {"required": True}))
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    data_sets = load(options.store)
    rows, counted = (read(data_sets, code, options.scores) for code in CODES)
    truths = read(load(options.truths), "as printed", options.truths_scores)
    text = generated(rows, counted, truths)
    notes.write_section(options.to, text, stays=["Choosing a learner on 16"])
    if options.figure:
        draw(per_row(rows, ["source"]), options.figure)


if __name__ == "__main__":
    main()
