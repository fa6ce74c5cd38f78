"""What Hope and Korb (2004) conclude in section 5.2 and section 6 from real data sets."""

from conclusions.outcome import Answer, Conclusion, Tables, average_rank, turned_orders
from workbench.base.names import learner_name

__all__ = ["CONCLUSIONS"]

REWARD, ACCURACY, BY_REWARD, BY_ACCURACY = "Appendix A.1", "Appendix A.2", "Table 1", "Table 2"
BAYESIAN, ADVANCED = ("nb", "camml", "aode", "tan"), ("camml", "aode", "tan")
OFTEN = 0.25
#: The table whose orders chance reverses, for comparison.
ORDERS = ACCURACY
ALMOST = 0.75
LATER = "the tables print no wins of the later learner"


def ranked(learners: tuple[str, ...], tables: Tables) -> dict[str, float]:
    """Return mean ranks by reward among some learners."""
    return average_rank(tables.means[REWARD][list(learners)]).to_dict()


def told(ranks: dict[str, float]) -> str:
    """Write mean ranks."""
    return "mean ranks: " + ", ".join(f"{learner_name(key)} {rank:.2f}" for key, rank in ranks.items())


def naive_bayes_last(tables: Tables) -> Answer:
    """Rank naive Bayes among the Bayesian learners."""
    ranks = ranked(BAYESIAN, tables)
    return Answer(max(ranks, key=ranks.__getitem__) == "nb", told(ranks))


def others_follow(tables: Tables) -> Answer:
    """Look at the data sets on which naive Bayes is significantly better than J48 by reward."""
    return _followed(tables, BY_REWARD, REWARD, 1.0)


def others_follow_by_accuracy(tables: Tables, least: float) -> Answer:
    """Look at the data sets on which naive Bayes is significantly better than J48 by accuracy."""
    return _followed(tables, BY_ACCURACY, ACCURACY, least)


def _followed(tables: Tables, tests: str, level: str, least: float) -> Answer:
    named = sorted(one.dataset for one in tables.wins[tests] if one[1:] == ("nb", "j48"))
    table = tables.means[level].loc[named]
    above = table[list(ADVANCED)].gt(table["j48"], axis=0).to_numpy()
    return Answer(
        bool(named) and bool(above.mean() >= least),
        f"{int(above.sum())} of {above.size} are above J48, on {len(named)} data sets",
    )


def aode_first(tables: Tables) -> Answer:
    """Rank the three advanced learners."""
    ranks = ranked(ADVANCED, tables)
    return Answer(min(ranks, key=ranks.__getitem__) == "aode", told(ranks))


def tan_never(tables: Tables) -> Answer:
    """Count the data sets on which TAN is significantly better than AODE, by either measure."""
    both = tables.wins[BY_REWARD] | tables.wins[BY_ACCURACY]
    named = sorted({one.dataset for one in both if one[1:] == ("tan", "aode")})
    return Answer(not named, f"on {', '.join(named) or 'none'}")


def tan_on_tumors(tables: Tables) -> Answer:
    """List the data sets on which TAN is significantly better than CaMML by accuracy or reward."""
    both = tables.wins[BY_REWARD] | tables.wins[BY_ACCURACY]
    named = sorted({one.dataset for one in both if one[1:] == ("tan", "camml")})
    return Answer(named == ["ptn"], f"on {', '.join(named) or 'none'}")


def sign_is_reversed(tables: Tables) -> Answer:
    """Compare J48 with the three advanced learners on sign."""
    accuracy, reward = (tables.means[name].loc["sign"] for name in (ACCURACY, REWARD))
    beaten = {one.loser for one in tables.wins[BY_ACCURACY] if one[:2] == ("sign", "j48")}
    holds = (
        accuracy.idxmax() == "j48"
        and beaten >= {*ADVANCED}
        and (reward[list(ADVANCED)] > reward["j48"]).all()
    )
    above = int((reward[list(ADVANCED)] > reward["j48"]).sum())
    return Answer(
        bool(holds),
        f"J48 beats {len(beaten & {*ADVANCED})} of 3 significantly by accuracy, and {above} of 3 are "
        "above it by reward",
    )


def commonly_differ(tables: Tables, often: float) -> Answer:
    """Count the orders of learners that reward reverses."""
    share = turned_orders(tables.means[ACCURACY], tables.means[REWARD])
    return Answer(share >= often, f"{share:.0%} of the orders")


CONCLUSIONS = (
    Conclusion(
        "Naive Bayes is clearly inferior to the other Bayesian learners.",
        'section 5.2, "clearly inferior"',
        "its mean rank by reward is the worst of the four",
        naive_bayes_last,
    ),
    Conclusion(
        "Where naive Bayes beats J48 by reward, the other Bayesian learners invariably do so as well.",
        'section 5.2, "invariably show"',
        "on every data set where it is significantly better by reward, the other three have higher "
        "rewards than J48",
        others_follow,
    ),
    Conclusion(
        "Where naive Bayes beats J48 by accuracy, the others almost certainly do so as well.",
        'section 5.2, "almost certain"',
        f"where it is significantly better by accuracy, at least {ALMOST:.0%} of the others' accuracies are "
        "above J48's",
        others_follow_by_accuracy,
        limit=ALMOST,
    ),
    Conclusion(
        "Of the three advanced learners, AODE outperforms the others a surprising amount of the time.",
        'section 5.2, "a surprising amount"',
        "its mean rank by reward is the best of the three",
        aode_first,
    ),
    Conclusion(
        "TAN never beats AODE.",
        'section 5.2, "never beats"',
        "it is significantly better on no data set, by either measure",
        tan_never,
        LATER,
    ),
    Conclusion(
        "TAN beats CaMML on ptn only.",
        'section 5.2, "only beats CaMML"',
        "ptn is the only data set on which it is significantly better, by either measure",
        tan_on_tumors,
        LATER,
    ),
    Conclusion(
        "On sign, the verdict is reversed: J48 is better than all others by accuracy, and worse than TAN, "
        "AODE and CaMML by reward.",
        'section 5.2, "largest reversal"',
        "it is significantly better than these three by accuracy, and each of them is above it by reward",
        sign_is_reversed,
    ),
    Conclusion(
        "The verdicts of accuracy and reward commonly differ.",
        'section 5.2, "commonly differ"',
        f"at least {OFTEN:.0%} of the orders of two learners on a data set are reversed",
        commonly_differ,
        limit=OFTEN,
    ),
)
