"""Weka's times, measured once elsewhere, next to CategoricalNB's on the same day and machine."""

from benchmarks.report import Line

WHERE = (
    "These times were measured earlier on a machine of this class (2 cores, Java 17), with Weka 3.9.7 and, "
    "where 3.6 is named, 3.6.14. Fit and predict ran in one Java process, without its start. Ratios are to "
    "CategoricalNB in that measurement: 0.91 s for the simulation and 1.87 s for the million rows."
)
SIMULATION, MILLION = 0.91, 1.8 + 0.0734  # CategoricalNB there, fit + predict


def lines() -> list[Line]:
    """Return fit + predict times of the same kinds of work as in our own tables."""
    rows = [
        (
            "simulation, NB + TAN + AODE",
            "Weka 3.6",
            1.50,
            SIMULATION,
            "1080 cells, median of 5 (1.34 to 1.64)",
        ),
        ("1,000,000 x 30", "Weka 3.9, NB", 0.3603 + 0.3398, MILLION, "fit 0.36 + predict 0.34"),
        ("1,000,000 x 30", "Weka 3.9, TAN", 26.7 + 0.8992, MILLION, "fit 26.7 + predict 0.90"),
        ("1,000,000 x 30", "Weka 3.6, AODE", 2.7 + 0.7457, MILLION, "fit 2.7 + predict 0.75"),
    ]
    return [Line(work, who, seconds, seconds / there, note=note) for work, who, seconds, there, note in rows]
