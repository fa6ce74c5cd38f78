"""What Hope and Korb (2002) conclude in sections 6 and 7 and in the abstract."""

from collections import Counter

from conclusions.outcome import Answer, Conclusion, Pair, Tables, average_rank, turned_orders
from workbench.base.names import learner_name

__all__ = ["CONCLUSIONS"]

ACCURACY, KB, REWARD = "Table 2", "Table 4", "Table 6"
BY_ACCURACY, BY_KB, BY_REWARD = "Table 3", "Table 5", "Table 7"
OTHERS = ("c50", "c50_boosted", "camml")
OFTEN = 0.25
#: The table whose orders chance reverses, for comparison.
ORDERS = ACCURACY


def worst_on(table: str, expected: str):
    """Make a rule about the data sets on which naive Bayes is significantly worse than all others."""
    named = set(expected.split())

    def judge(tables: Tables) -> Answer:
        lost = Counter(one.dataset for one in tables.wins[table] if one.loser == "nb")
        found = {name for name, n in lost.items() if n == len(OTHERS)}
        return Answer(named <= found, f"on {', '.join(sorted(found)) or 'none'}")

    return judge


def wins_by_reward(tables: Tables) -> Answer:
    """Count significant wins and losses of naive Bayes by reward."""
    won = Counter(one.winner for one in tables.wins[BY_REWARD])
    lost = sum(one.loser == "nb" for one in tables.wins[BY_REWARD])
    most = max(won[key] for key in OTHERS)
    return Answer(
        won["nb"] > max(lost, most), f"{won['nb']} wins, {lost} losses, the next learner {most} wins"
    )


def first_by_reward(tables: Tables) -> Answer:
    """Count the data sets on which each learner has the greatest reward, ties shared, and mean ranks."""
    table = tables.means[REWARD]
    best = table.eq(table.max(axis=1), axis=0)
    first = best.div(best.sum(axis=1), axis=0).sum()
    most = float(first.drop("nb").max())
    ranks = ", ".join(f"{learner_name(str(key))} {rank:.2f}" for key, rank in average_rank(table).items())
    return Answer(
        bool(first["nb"] > most),
        f"first on {first['nb']:.0f} of {len(table)}, the next learner on {most:.0f}, mean ranks: {ranks}",
    )


def avoids_extremes(tables: Tables) -> Answer:
    """Compare rewards with and without the cut-off of probabilities."""
    share = tables.held_back(REWARD).mean()
    holds = share["nb"] == 0 < share["camml"] < min(share["c50"], share["c50_boosted"])
    told = ", ".join(f"{learner_name(str(key))} {one:.0%}" for key, one in share.items())
    return Answer(bool(holds), f"share of halves: {told}")


def beaten(tables: Tables) -> Answer:
    """Look for the significant losses on CH and MU by reward."""
    lost = Counter(one.dataset for one in tables.wins[BY_REWARD] if one.loser == "nb")
    counts = {name: lost[name] for name in ("CH", "MU")}
    return Answer(
        min(counts.values()) == len(OTHERS), ", ".join(f"{n} losses on {name}" for name, n in counts.items())
    )


def reversed_on_hypothyroid(tables: Tables) -> Answer:
    """Look for the verdicts between boosted C5.0 and naive Bayes on HY."""
    lost, won = Pair("HY", "c50_boosted", "nb"), Pair("HY", "nb", "c50_boosted")
    found = [lost in tables.wins[BY_ACCURACY], lost in tables.wins[BY_KB], won in tables.wins[BY_REWARD]]
    words = ["accuracy", "Kononenko and Bratko's", "reward"]
    told = [word for word, there in zip(words, found, strict=True) if there]
    return Answer(all(found), f"significant as printed by {', '.join(told) or 'none'}")


def often_reversed(tables: Tables, often: float) -> Answer:
    """Count the orders of learners that reward reverses."""
    share = turned_orders(tables.means[ACCURACY], tables.means[REWARD])
    return Answer(share >= often, f"{share:.0%} of the orders")


CONCLUSIONS = (
    Conclusion(
        "By accuracy, naive Bayes is worse than all other learners on CH, HY, MU, SE and VO.",
        'section 6, "ranked worse"',
        "each of the three others is significantly better on each of these",
        worst_on(BY_ACCURACY, "CH HY MU SE VO"),
    ),
    Conclusion(
        "By Kononenko and Bratko's measure, naive Bayes is also worse on IR.",
        'section 6, "deemed worse on the ir dataset"',
        "each of the three others is significantly better on these and on IR",
        worst_on(BY_KB, "CH HY IR MU SE VO"),
    ),
    Conclusion(
        "By information reward, naive Bayes is substantially better on the whole, with ten "
        "significant results.",
        'section 6, "on the whole"',
        "it has more significant wins than losses, and more than any other learner",
        wins_by_reward,
    ),
    Conclusion(
        "By information reward, naive Bayes is shown to be better than the other learners.",
        'section 6, "is shown to be better"',
        "it is first on more data sets than any other learner",
        first_by_reward,
    ),
    Conclusion(
        "Only naive Bayes avoids extreme probabilities without a cut-off. The cut-off helps C5.0, and CaMML "
        "less.",
        'section 6, footnote 1, "extreme probabilities"',
        "the share of halves whose reward the cut-off changes by 0.02 or more is 0 for naive Bayes, larger "
        "for CaMML, and largest for C5.0 with and without boosting",
        avoids_extremes,
        "rewards without the cut-off are not printed",
    ),
    Conclusion(
        "Naive Bayes is also soundly beaten on CH and MU by information reward.",
        'section 6, "soundly beaten"',
        "each of the three others is significantly better on both",
        beaten,
    ),
    Conclusion(
        "On HY, boosted C5.0 beats naive Bayes by accuracy and by Kononenko and Bratko's measure, and "
        "information reward reverses this.",
        'section 6, "this verdict is reversed"',
        "all three differences are significant",
        reversed_on_hypothyroid,
    ),
    Conclusion(
        "Information reward often reverses the order by accuracy.",
        'abstract, "often reversed"',
        f"at least {OFTEN:.0%} of the orders of two learners on a data set are reversed",
        often_reversed,
        limit=OFTEN,
    ),
)
