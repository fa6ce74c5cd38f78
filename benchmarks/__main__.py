"""Speed against peers, as ratios measured in one run: `make bench`."""

import os
import warnings

from threadpoolctl import threadpool_limits

from benchmarks import camml, growth, million, simulation, tables
from benchmarks.report import Line, print_results, rounds

YARDSTICK_SECONDS = 0.9  # CategoricalNB where the budgets (in seconds) were set

WORKS = {
    "scikit-learn CategoricalNB": simulation.categorical_nb,
    "ours, DataFrames": simulation.ours_from_frames,
    "ours, integer codes": simulation.ours_from_codes,
    "ours, CaMML": camml.fit_simulation,
    "ours, CaMML 16 nodes": camml.fit_sixteen_nodes,
    "scikit-bayes AnDE": simulation.scikit_bayes_aode,
}
WHAT = {
    "scikit-learn CategoricalNB": ("simulation, NB", None, "360 cells"),
    "ours, DataFrames": ("simulation, NB + TAN + AODE", 0.4, "1080 cells"),
    "ours, integer codes": ("simulation, NB + TAN + AODE", 0.2, "1080 cells"),
    "ours, CaMML": ("simulation, CaMML exact", 0.8, "360 cells, up to 8 nodes"),
    "ours, CaMML 16 nodes": ("CaMML exact, 16 nodes, 5000 rows", 1.3, "one fit"),
    "scikit-bayes AnDE": ("simulation, AODE", None, "360 cells"),
}


def scaled_pgmpy() -> list[Line]:
    """Time pgmpy on a part of the models: the whole would take minutes."""
    scale = simulation.MODELS / len(simulation.PEER_MODELS)
    part = f"SCALED by {scale:g} from models {simulation.PEER_MODELS} of each kind"
    works = {
        "CategoricalNB": simulation.categorical_nb,
        "NB": simulation.pgmpy_naive_bayes,
        "TAN": simulation.pgmpy_tan,
    }
    seconds, ratios = rounds(works)
    return [
        Line(f"simulation, {name}", "pgmpy", seconds[name] * scale, ratios[name] * scale, note=part)
        for name in ("NB", "TAN")
    ]


def main() -> None:
    os.environ["TQDM_DISABLE"] = "1"
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds, ratios = rounds(WORKS)
        lines = []
        for name, (work, budget, note) in WHAT.items():
            allowed = None if budget is None else budget / YARDSTICK_SECONDS
            lines.append(Line(work, name, seconds[name], ratios[name], allowed, note))
        lines += scaled_pgmpy()
        lines += million.lines()
        lines += tables.lines()
        growth.draw()
    print_results(lines)


if __name__ == "__main__":
    main()
