"""The README of a benchmark: its files, and how to read them in pandas, Weka and R."""

from pathlib import Path
from string import Template
from typing import Any

from workbench.base.text import count_of
from workbench.benchmark.folder.card import alterations_text, escaped

__all__ = ["readme_of"]

PAGE = Path(__file__).with_name("readme.md")
READ = {
    "parquet": {
        "pandas": 'pd.read_parquet("{model}/train.parquet")  # nominal columns are categorical',
        "weka": "Weka reads no Parquet: make the same benchmark with `--format arff`.",
        "r": 'arrow::read_parquet("{model}/train.parquet")  # nominal columns are factors',
    },
    "csv": {
        "pandas": 'pd.read_csv("{model}/train.csv", dtype={dtype}, keep_default_na=False, na_values=["NA"])',
        "weka": "`java weka.core.converters.CSVLoader -N {nominal} -M NA {model}/train.csv`; a value that no "
        "row shows is not declared, so `--format arff` is better.",
        "r": 'read.csv("{model}/train.csv", check.names = FALSE, na.strings = "NA", colClasses = {classes})',
    },
    "arff": {
        "pandas": 'workbench.datasets.load_arff("{model}/train.arff")  # or scipy.io.arff.loadarff',
        "weka": "`java weka.classifiers.bayes.NaiveBayes -t {model}/train.arff -T {model}/test.arff`",
        "r": 'foreign::read.arff("{model}/train.arff")',
    },
}


def readme_of(made: dict[str, Any], models: list[dict[str, Any]]) -> str:
    """Write the page."""
    format, first = made["format"], models[0]
    numeric = any(column["states"] is None for column in first["columns"])
    read = {who: _filled(text, first, numeric) for who, text in READ[format].items()}
    what = made.get("generator") or made.get("network") or f"suite {made.get('suite')}"
    kinds = "\n".join(
        f"| {model['name']} | {model['kind']} | {alterations_text(model['alterations'])} | "
        f"{escaped(model['structure'])} |"
        for model in models
    )
    words = {
        "what": escaped(what),
        "models": count_of(len(models), "model"),
        "rows": f"{made['rows']:,}",
        "test": f"{made['test']:,}",
        "seed": str(made["seed"]),
        "form": format,
        "kinds": kinds,
        **read,
    }
    return Template(PAGE.read_text(encoding="utf-8")).substitute(words)


def _filled(text: str, model: dict[str, Any], numeric: bool) -> str:
    nominal = [j for j, column in enumerate(model["columns"], start=1) if column["states"] is not None]
    names = [column["label"] for column in model["columns"] if column["states"] is not None]
    kinds = ", ".join('"numeric"' if one["states"] is None else '"factor"' for one in model["columns"])
    words = {
        "{model}": model["name"],
        "{nominal}": ",".join(map(str, nominal)),
        "{dtype}": repr(dict.fromkeys(names, "category")) if numeric else '"category"',
        "{classes}": f"c({kinds})" if numeric else '"factor"',
    }
    for word, filled in words.items():
        text = text.replace(word, filled)
    return text
