"""The README of a benchmark: its files, and how to read them in pandas, Weka and R."""

from pathlib import Path
from statistics import mean
from string import Template
from typing import Any

from workbench.base.text import count_of
from workbench.benchmark.folder.card import alterations_text, escaped, estimate_text

__all__ = ["readme_of", "refusals_text"]

PAGE = Path(__file__).with_name("readme.md")
READ = {
    "parquet": {
        "pandas": 'pd.read_parquet("{model}/train.parquet")  # nominal columns are categorical',
        "weka": "Weka reads no Parquet: make the same benchmark with `--format arff`.",
        "r": 'arrow::read_parquet("{model}/train.parquet")  # nominal columns are factors',
    },
    "csv": {
        "pandas": 'pd.read_csv("{model}/train.csv", dtype={dtype}, keep_default_na=False, na_values=["NA"])',
        "weka": "`java weka.core.converters.CSVLoader -N {nominal} -M NA {model}/train.csv`. Values that do "
        "not occur in the rows are not declared then, so `--format arff` is better.",
        "r": 'read.csv("{model}/train.csv", check.names = FALSE, na.strings = "NA", colClasses = {classes})',
    },
    "arff": {
        "pandas": 'workbench.datasets.load_arff("{model}/train.arff")  # or scipy.io.arff.loadarff',
        "weka": "`java weka.classifiers.bayes.NaiveBayes -t {model}/train.arff -T {model}/test.arff`",
        "r": 'foreign::read.arff("{model}/train.arff")',
    },
}


def readme_of(made: dict[str, Any], models: list[dict[str, Any]], cards: list[dict[str, Any]]) -> str:
    """Write the page."""
    format, first = made["format"], models[0]
    numeric = any(column["states"] is None for column in first["columns"])
    read = {who: _filled(text, first, numeric) for who, text in READ[format].items()}
    what = made.get("generator") or made.get("network") or f"suite {made.get('suite')}"
    words = {
        "what": escaped(what),
        "models": count_of(len(models), "model"),
        "rows": f"{made['rows']:,}",
        "test": f"{made['test']:,}",
        "seed": str(made["seed"]),
        "form": format,
        "first": first["name"],
        "kinds": "\n".join(map(_line, cards)),
        "refusals": escaped(refusals_text(cards)),
        **read,
    }
    return Template(PAGE.read_text(encoding="utf-8")).substitute(words)


def refusals_text(cards: list[dict[str, Any]]) -> str:
    """Report how many draws were rejected, and the effect on the sizes. Empty if none was."""
    refused = [sizes for card in cards for sizes in card.get("refused", ())]
    if not refused:
        return ""
    means = " and ".join(
        f"{mean(sizes[name] for sizes in refused):.1f} {name.removeprefix('n_')}" for name in refused[0]
    )
    return (
        f"For {len(refused)} of {count_of(len(refused) + len(cards), 'drawn size')} no truth was within the "
        f"bounds, and another size was drawn instead. The rejected sizes had {means} on average. Such sizes "
        "are therefore rarer in this benchmark than the generator draws them."
    )


def _line(card: dict[str, Any]) -> str:
    """Return the row of a model."""
    cells = (
        card["name"],
        card["kind"],
        alterations_text(card["alterations"]),
        str(len(card["attributes"])),
        str(len(card["class"]["states"])),
        f"{card['prior_error']:.4f}",
        estimate_text(card["bayes_error"]),
        estimate_text(card["ceiling_ir_b"]),
        escaped(card["structure"]),
    )
    return f"| {' | '.join(cells)} |"


def _filled(text: str, model: dict[str, Any], numeric: bool) -> str:
    nominal = [j for j, column in enumerate(model["columns"], start=1) if column["states"] is not None]
    names = [column["label"] for column in model["columns"] if column["states"] is not None]
    kinds = ", ".join('"numeric"' if one["states"] is None else '"factor"' for one in model["columns"])
    words = {
        "{model}": model["name"],
        "{nominal}": ",".join(map(str, nominal)),
        "{dtype}": repr(dict.fromkeys(names, "str")) if numeric else '"str"',
        "{classes}": f"c({kinds})" if numeric else '"factor"',
    }
    for word, filled in words.items():
        text = text.replace(word, filled)
    return text
