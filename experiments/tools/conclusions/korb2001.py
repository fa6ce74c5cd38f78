"""What Korb, Hope and Hughes (2001) conclude in sections 5 and 6."""

import pandas as pd

from conclusions.outcome import Answer, Conclusion, Tables
from workbench.base.names import learner_name

__all__ = ["CONCLUSIONS"]

ACCURACY, REWARD, MISCALIBRATION = (
    "Table 1: accuracy",
    "Table 2: information reward",
    "Table 3: miscalibration",
)
#: Tables 4 to 6.
PAIRS = ("Table 4", "Table 5", "Table 6")
SOPHISTICATED, SIMPLE = ("c45", "mml_tree", "mml_graph"), ("nb", "stump")
#: What "fairly strong", "strong" and "much more" are taken to mean.
FAIR, STRONG, MUCH = 0.4, 0.6, 1.5


def follows(tables: Tables, least: float) -> Answer:
    """Correlate learners' accuracies and rewards on each data set."""
    accuracy, reward = tables.means[ACCURACY], tables.means[REWARD]
    ranks = [accuracy.loc[name].corr(reward.loc[name], method="spearman") for name in accuracy.index]
    r = float(pd.Series(ranks).mean())
    return Answer(r >= least, f"mean rank correlation {r:.2f}")


def glass(tables: Tables) -> Answer:
    """Rank C4.5 on GL by the three measures."""
    places = [
        int(tables.means[name].loc["GL"].rank(ascending=False, method="min")["c45"])
        for name in (ACCURACY, REWARD, MISCALIBRATION)
    ]
    holds = places[0] == 1 and places[1] == 5 and places[2] == 1
    return Answer(holds, "rank {} of 5 by accuracy, {} by reward, {} by miscalibration".format(*places))


def correlation(table: str, sign: int):
    """Make a rule about the mean correlation of a table."""

    def judge(tables: Tables, least: float) -> Answer:
        r = float(tables.means[table].stack().mean())
        return Answer(sign * r >= least, f"mean r {r:.2f}".replace("-", "\u2212"))

    return judge


def stronger(tables: Tables) -> Answer:
    """Compare the strengths of Tables 4 and 6."""
    first, last = (abs(float(tables.means[name].stack().mean())) for name in ("Table 4", "Table 6"))
    return Answer(first > last, f"{first:.2f} against {last:.2f}")


def poorly_calibrated(tables: Tables, much: float) -> Answer:
    """Compare mean miscalibrations of simple and sophisticated learners, with median ratios."""
    table = tables.means[MISCALIBRATION]
    others = table[list(SOPHISTICATED)].mean(axis=1)
    factors = {key: float(table[key].mean() / others.mean()) for key in SIMPLE}
    medians = {key: float((table[key] / others).median()) for key in SIMPLE}
    told = ", ".join(
        f"{learner_name(key)} {factors[key]:.1f} times (median ratio {medians[key]:.1f})" for key in SIMPLE
    )
    return Answer(min(factors.values()) >= much, told)


def worse_performers(tables: Tables) -> Answer:
    """Compare mean rewards of simple and sophisticated learners."""
    mean = tables.means[REWARD].mean()
    holds = max(mean[key] for key in SIMPLE) < min(mean[key] for key in SOPHISTICATED)
    told = ", ".join(f"{learner_name(key)} {mean[key]:.2f}" for key in (*SIMPLE, *SOPHISTICATED))
    return Answer(bool(holds), told)


CONCLUSIONS = (
    Conclusion(
        "Reward follows accuracy fairly closely.",
        'section 5, "fairly closely"',
        f"learners' accuracies and rewards on a data set have a mean rank correlation of at least {FAIR}",
        follows,
        limit=FAIR,
    ),
    Conclusion(
        "C4.5 does well on GL by accuracy and is clearly the worst by reward, which its "
        "miscalibration explains.",
        'section 5, "clearly the worst"',
        "it is first of five by accuracy, last by reward, and the worst calibrated",
        glass,
    ),
    Conclusion(
        "Over splits, accuracy has a strong positive correlation with reward.",
        'section 5, "even more strongly"',
        f"the mean correlation of Table 4 is at least {STRONG}",
        correlation("Table 4", 1),
        limit=STRONG,
    ),
    Conclusion(
        "Miscalibration has a negative correlation with reward.",
        'section 5, "negatively correlated"',
        f"the mean correlation of Table 5 is \u2212{FAIR} or less",
        correlation("Table 5", -1),
        limit=FAIR,
    ),
    Conclusion(
        "Accuracy has a fairly strong negative correlation with miscalibration.",
        'section 5, "fairly strongly"',
        f"the mean correlation of Table 6 is \u2212{FAIR} or less",
        correlation("Table 6", -1),
        limit=FAIR,
    ),
    Conclusion(
        "The correlation of accuracy with reward is stronger than that with miscalibration.",
        'section 5, "even more strongly"',
        "the mean of Table 4 is further from 0 than that of Table 6",
        stronger,
    ),
    Conclusion(
        "Naive Bayes and the stump are much more poorly calibrated than the learners they might replace.",
        'section 5, "much more poorly calibrated"',
        f"the mean miscalibration of each is at least {MUCH} times that of the three others",
        poorly_calibrated,
        limit=MUCH,
    ),
    Conclusion(
        "Naive Bayes and the stump are therefore worse performers than many had thought.",
        'section 5, "worse performers"',
        "the mean reward of each is below that of each of the three others",
        worse_performers,
    ),
)
