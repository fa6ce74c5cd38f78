"""What Cleary, Legg and Witten (1996) conclude in section 5 and section 6."""

import pandas as pd

from conclusions.outcome import Answer, Conclusion, Tables
from workbench.base.names import learner_name
from workbench.metrics import analytic_significance

__all__ = ["CONCLUSIONS"]

CORRECT, BITS = "Table 2: per cent correct", "Table 2: bits saved"
SINGLE, SEVERAL = ("c45", "c45_unpruned", "c45rules", "induct_rdr"), ("foil", "induct_dnf")
#: Test rows of CH, and how many of them are of the larger class.
N_TEST, MAJORITY = 1598, 1598 * 1669 / 3196
#: Shares of the formula's bits that are "very close" and "markedly" off; points; places.
CLOSE, FAR, POINTS, PLACES = 0.03, 0.1, 2.0, 3
#: Points of ripple-down rules below C4.5 on CH; the share of C4.5's bits that 1R loses.
POINT, HALF = 1.0, 0.5


def off_the_curve(tables: Tables) -> pd.Series:
    """Return how far S_f on CH is from the formula at the per cent correct, as a share of the formula's."""
    correct, bits = (tables.means[name].loc["CH"] for name in (CORRECT, BITS))
    curve = correct.map(lambda share: analytic_significance(N_TEST, MAJORITY, N_TEST * share / 100))
    return (bits - curve).abs() / curve.abs()


def on_the_curve(tables: Tables, close: float) -> Answer:
    """Compare learners that predict one class for each row with the curve."""
    worst = float(off_the_curve(tables)[list(SINGLE)].max())
    return Answer(worst <= close, f"at most {worst:.1%} off")


def departing(tables: Tables, far: float) -> Answer:
    """Compare learners that predict several classes with the curve."""
    off = off_the_curve(tables)[list(SEVERAL)]
    told = ", ".join(f"{learner_name(str(key))} {share:.0%} off" for key, share in off.items())
    return Answer(bool((off >= far).all()), told)


def foil_on_chess(tables: Tables) -> Answer:
    """Look at FOIL's per cent correct on CH: 40% to 80% of the rows had several classes."""
    correct = float(tables.means[CORRECT].loc["CH", "foil"])
    return Answer(
        correct <= 60,
        f"{correct:.1f}% correct, so at most {100 - correct:.1f}% have several classes or none",
    )


def ripple_on_chess(tables: Tables, least: float) -> Answer:
    """Compare Induct's ripple-down rules on CH with C4.5's three."""
    correct = tables.means[CORRECT].loc["CH"]
    below = float(correct[list(SINGLE[:3])].min() - correct["induct_rdr"])
    return Answer(below >= least, f"{below:.1f} points below the lowest C4.5 learner")


def one_r_does_well(tables: Tables, most: float) -> Answer:
    """Find the data sets on which 1R loses most to pruned C4.5, as a share of C4.5's bits."""
    table = tables.means[BITS]
    bits = table[table["c45"] > 5]
    lost = ((bits["c45"] - bits["one_r"]) / bits["c45"]).sort_values(ascending=False)
    worst = set(lost.index[lost > most])
    return Answer(
        worst == {"CH", "SO"},
        f"more than {most:.0%} of C4.5's bits are lost on {', '.join(sorted(worst)) or 'none'}",
    )


def glass(tables: Tables) -> Answer:
    """Compare the places of 1R on GL."""
    by = [
        int(tables.means[name].loc["GL"].rank(ascending=False, method="min")["one_r"])
        for name in (CORRECT, BITS)
    ]
    return Answer(by[1] > by[0], f"rank {by[0]} of 7 by per cent correct, {by[1]} by S_f")


def pruning(tables: Tables, points: float) -> Answer:
    """Compare pruned and unpruned C4.5."""
    table = tables.means[CORRECT]
    near = (table["c45"] - table["c45_unpruned"]).abs() <= points
    return Answer(bool(near.mean() >= 0.8), f"within {points:g} points on {int(near.sum())} of {len(near)}")


def raised(tables: Tables, places: float) -> Answer:
    """Compare places by both measures of the three cells that the paper names."""
    cells = (("G2", "foil"), ("LY", "foil"), ("LY", "induct_dnf"))
    by = [
        [
            int(tables.means[name].loc[dataset].rank(ascending=False, method="min")[key])
            for name in (CORRECT, BITS)
        ]
        for dataset, key in cells
    ]
    words = [
        f"{learner_name(key)} on {dataset} from {a} to {b}"
        for (dataset, key), (a, b) in zip(cells, by, strict=True)
    ]
    return Answer(all(a - b >= places for a, b in by), "ranks: " + ", ".join(words))


CONCLUSIONS = (
    Conclusion(
        "On CH, schemes that predict one class lie very close to the theoretical curve.",
        'section 5, "very close"',
        f"S_f of the three C4.5 learners and of ripple-down rules is within {CLOSE:.0%} of the formula at "
        "their per cent correct",
        on_the_curve,
        limit=CLOSE,
    ),
    Conclusion(
        "FOIL and Induct's disjunctions, which predict several classes or none, lie well off the curve.",
        'section 5, "well off"',
        f"their S_f on CH differs from the formula by {FAR:.0%} or more",
        departing,
        limit=FAR,
    ),
    Conclusion(
        "FOIL gives 40% to 80% of the rows of CH several classes.",
        'section 5, "multiply classified"',
        "at most 60% are correct, because a correct row has a single class (a proxy, as the tables do not "
        "count classes, but the trials below do)",
        foil_on_chess,
    ),
    Conclusion(
        "Ripple-down rules lie clearly outside the majority of the schemes on CH by per cent correct.",
        'section 5, "clearly outside"',
        "they are at least 1 point below each of the three C4.5 learners",
        ripple_on_chess,
        limit=POINT,
    ),
    Conclusion(
        "1R does well compared with C4.5, except on CH and SO.",
        'section 5, "generally does well"',
        "only on these data sets does it lose more than half of the bits of pruned C4.5 (where C4.5 "
        "saves more than 5)",
        one_r_does_well,
        limit=HALF,
    ),
    Conclusion(
        "On GL, S_f ranks 1R lower than per cent correct does.",
        'section 5, "on the data set GL"',
        "its rank among the seven is lower by S_f",
        glass,
    ),
    Conclusion(
        "There is little difference between pruned and unpruned C4.5.",
        'section 5, "little difference"',
        f"their per cent correct is within {POINTS:g} points on four fifths of the data sets",
        pruning,
        limit=POINTS,
    ),
    Conclusion(
        "S_f ranks FOIL on G2 and LY, and Induct's disjunctions on LY, higher than per cent correct does.",
        'section 5, "higher significance"',
        f"each rises by at least {PLACES} of seven ranks",
        raised,
        limit=PLACES,
    ),
    Conclusion(
        "On the farmer's records, only Induct's disjunctions have a positive S_f.",
        'section 5, "consistently positive"',
        "the records are not public (stand-in data are below)",
        None,
        "printed as a figure",
    ),
)
