"""Measure how often the tests of `workbench.comparisons` raise a false alarm and how often they find a lead.

Writes the page about it. Run from the root of the repository:

    python docs/scripts/tests_under_the_null.py
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import power_of_tests as power
import tables_under_the_null as tables
from null_text import TEXT
from null_worlds import ALPHA, LEARNERS, SIZES, WORLDS, Rate, World, options, rate, rates
from numpy.typing import NDArray

from workbench.comparisons import mean_intervals, paired_differences, rm_anova
from workbench.report import notes

EFFECTS = ("learner", "size", "learner:size")
CORRECTIONS = power.CORRECTIONS

#: How the titles of the tables begin that stay on the page; the others are files.
STAYS = (
    "Generating models",
    "Rates",
    "Scenario (b)",
    "Repeated splits",
    "Type I error rates on data sets",
    "Patterns",
)


def simulate(world: World, simulations: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return for each test one number a simulation: did it reject, or what share of its family did."""
    rng = np.random.default_rng([seed, world.seed])
    rows = [_false_alarms(world.draw(rng, world.n_subjects)) for _ in range(simulations)]
    return {test: np.array([row[test] for row in rows], dtype=np.float64) for test in rows[0]}


@dataclass(frozen=True)
class Measured:
    """All rates of the page."""

    rates: dict[str, dict[str, Rate]]  # by world and test
    skewness: dict[tuple[float, int], dict[str, Rate]]  # of one t test, by skewness and subjects
    leads: dict[str, dict[float, dict[str, Rate]]]  # by case, lead and test
    noise: dict[float, dict[str, Rate]]  # by noise of the last learner of world (b) and test
    bootstrap: dict[str, dict[str, Rate]]  # false alarms by world and test
    bootstrap_leads: dict[str, Rate]  # by case: how often the bootstrap finds one lead
    table_rates: dict[str, dict[str, Rate]]  # by kind of data set and test
    table_leads: dict[tuple[str, float], dict[str, Rate]]  # by kind of data set and lead, then by test


def measure(simulations: int, seed: int, figure: Path | None = None) -> Measured:
    """Simulate everything, and draw the power of the tests."""
    shares = {power.name_of(case): power.finds(case, simulations, seed) for case in power.CASES}
    if figure is not None:
        power.draw(shares, figure)
    of_one = power.by_skewness(10 * simulations, seed)
    return Measured(
        {world.key: rates(simulate(world, simulations, seed)) for world in WORLDS},
        {key: rates(found) for key, found in of_one.items()},
        {name: {lead: rates(own) for lead, own in found.items()} for name, found in shares.items()},
        {noise: rates(own) for noise, own in power.by_noise(simulations, seed).items()},
        {world.key: rates(power.bootstrap_alarms(world, simulations, seed)) for world in WORLDS},
        {power.name_of(case): rate(power.bootstrap_finds(case, simulations, seed)) for case in power.CASES},
        {table.key: rates(tables.false_alarms(table, simulations, seed)) for table in tables.TABLES},
        {
            (table.key, lead): rates(tables.finds(table, lead, simulations, seed))
            for table in tables.TABLES
            for lead in tables.LEADS[table.score]
        },
    )


def page(found: Measured, simulations: int, seed: int, to: Path) -> str:
    """Return the section of the page: what was drawn, tables of rates, and what they show."""
    of_tables = {table.key: found.table_rates[table.key] for table in tables.TABLES}
    ties = [name for name in of_tables["e"] if not name.endswith(("each of 15", "Holm"))]
    return TEXT.format(
        worlds=len(WORLDS),
        kinds_of_world=notes.table(
            ["scenario", "noise around the level of a subject", "correlations"],
            [[f"({world.key}) {world.name}", world.noise, world.correlations] for world in WORLDS],
        ),
        table=notes.table(
            ["test", *(f"({world.key}) {world.name}" for world in WORLDS)],
            [[test, *(_cell(test, found.rates[w.key][test]) for w in WORLDS)] for test in found.rates["a"]],
        ),
        skewed_simulations=10 * simulations,
        skewness=skewness_table(found.skewness),
        resamples=power.RESAMPLES,
        bootstrap=bootstrap_table(found),
        bootstrap_lead=power.BOOTSTRAP_LEAD,
        bootstrap_power=bootstrap_power(found),
        noise_lead=power.NOISE_LEAD,
        noise=notes.table(
            ["noise of the last learner", *power.BY_NOISE],
            [[f"{noise:g} times", *map(str, own.values())] for noise, own in found.noise.items()],
        ),
        first=power.FIRST,
        second=power.SECOND,
        power=power_table(found.leads),
        table_power=table_power(found.table_leads),
        n_table_learners=tables.LEARNERS,
        n_pairs=tables.PAIRS.shape[1],
        kinds=notes.table(
            [
                "trained on half, tested on the rest",
                "error of a learner",
                "rows on which two learners disagree",
            ],
            [_kind(table, seed) for table in tables.TABLES],
        ),
        table_rates=_table_of(of_tables, [name for name in of_tables["e"] if name not in ties]),
        table_ties=_table_of(of_tables, ties),
        simulations=simulations,
        seed=seed,
        to=to.as_posix(),
        learners=len(LEARNERS),
        sizes=len(SIZES),
    )


def skewness_table(found: dict[tuple[float, int], dict[str, Rate]]) -> str:
    """Return the table of one t test on skewed differences."""
    names = list(next(iter(found.values())))
    rows = []
    for (skewness, n), own in found.items():
        cells = [str(own[name]) for name in names]
        for i, level in ((0, ALPHA), (3, ALPHA / 18), (4, ALPHA), (5, ALPHA / 18)):
            cells[i] = f"**{cells[i]}**" if own[names[i]].low > level else cells[i]
        rows.append([str(skewness), str(n), *cells])
    return notes.table(["skewness", "subjects", *names], rows)


def bootstrap_table(found: Measured) -> str:
    """Return false alarms of t tests and of bootstrap t tests by world."""
    both = {key: found.rates[key] | own for key, own in found.bootstrap.items()}
    tests = [
        f"{kind} t, {family}"
        for family in ("each of 18, unadjusted", "any of 18, Holm")
        for kind in ("paired", "bootstrap")
    ]
    head = ["test", *(f"({world.key}) {world.name}" for world in WORLDS)]
    return notes.table(head, [[test, *(_cell(test, own[test]) for own in both.values())] for test in tests])


def bootstrap_power(found: Measured) -> str:
    """Return how often one t test and its bootstrap find a lead, by case."""
    rows = [
        [name, str(found.leads[name][power.BOOTSTRAP_LEAD][power.ONE_TEST]), str(own)]
        for name, own in found.bootstrap_leads.items()
    ]
    return notes.table(["scenario", power.ONE_TEST, "bootstrap t, the same"], rows)


def power_table(found: dict[str, dict[float, dict[str, Rate]]]) -> str:
    """Return the table of power: one row per case and test, one column per lead."""
    leads = [lead for lead in power.LEADS if lead > 0]
    rows = [
        [name, test, *(str(of_lead[lead][test]) for lead in leads)]
        for name, of_lead in found.items()
        for test in of_lead[leads[0]]
    ]
    return notes.table(["scenario", "test", *(f"lead {lead}" for lead in leads)], rows)


def table_power(found: dict[tuple[str, float], dict[str, Rate]]) -> str:
    """Return the table of leads that are found on data sets."""
    names = {table.key: f"({table.key}) {table.name}" for table in tables.TABLES}
    tests = [name for name in next(iter(found.values())) if name != "lead"]
    rows = [
        [names[key], f"{own['lead'].value:.3f}", *(str(own[test]) for test in tests)]
        for (key, _), own in found.items()
    ]
    return notes.table(["data sets", "lead", *tests], rows)


def main() -> None:
    """Simulate everything and write the page."""
    parser = options(__doc__, 2000, "tests_under_the_null.md")
    parser.add_argument("--figure", type=Path, default=Path("docs/figures/power_of_tests.png"))
    chosen = parser.parse_args()
    found = measure(chosen.simulations, chosen.seed, chosen.figure)
    text = page(found, chosen.simulations, chosen.seed, chosen.to)
    notes.write_section(chosen.to, text, "tests_under_the_null", stays=STAYS)


def _false_alarms(scores: NDArray[np.float64]) -> dict[str, float]:
    anova = rm_anova(scores, factors=("learner", "size"))
    alarms: dict[str, float] = {
        f"ANOVA {name}, {label}": getattr(anova.effect(name), p) <= ALPHA
        for name in EFFECTS
        for p, label in CORRECTIONS.items()
    }
    pairs = paired_differences(scores, learners=LEARNERS, settings=SIZES, level=1 - ALPHA).rows
    means = mean_intervals(scores, level=1 - ALPHA)
    alarms["paired t, each of 18, unadjusted"] = float(np.mean([row.p <= ALPHA for row in pairs]))
    alarms["paired t, any of 18, unadjusted"] = any(row.p <= ALPHA for row in pairs)
    alarms["paired t, any of 18, Holm"] = any(row.p_holm <= ALPHA for row in pairs)
    alarms["coverage of all 18 differences, Bonferroni"] = all(row.low <= 0 <= row.high for row in pairs)
    alarms["coverage of all 12 means, Bonferroni"] = bool(((means.low <= 0) & (means.high >= 0)).all())
    return alarms


def _kind(table: tables.Table, seed: int) -> list[str]:
    """Return a row of the table of kinds of data sets."""
    error, disagreement = tables.errors_and_disagreements(table, seed)
    return [f"({table.key}) {table.name}", f"{error:.1%}", f"{disagreement:.1%}"]


def _table_of(found: dict[str, dict[str, Rate]], names: list[str]) -> str:
    return notes.table(
        ["equal learners", *(f"({table.key}) {table.name}" for table in tables.TABLES)],
        [[name, *(_table_cell(name, rates[name]) for rates in found.values())] for name in names],
    )


def _table_cell(name: str, found: Rate) -> str:
    """Return the rate, bold where its interval lies above the level of the test."""
    is_test = name.endswith(("each of 15", "Holm")) or name.startswith("F rejects")
    return f"**{found}**" if is_test and found.low > ALPHA else str(found)


def _cell(test: str, found: Rate) -> str:
    """Return the rate, bold where its interval lies on the wrong side of what was promised."""
    wrong = found.high < 1 - ALPHA if test.startswith("coverage") else found.low > ALPHA
    return f"**{found}**" if wrong else str(found)


if __name__ == "__main__":
    main()
