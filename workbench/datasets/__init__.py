"""Data sets: those of the papers by name, and ARFF, CSV and Parquet files."""

from workbench.datasets._shared.findings import (
    CodesForMissingWarning,
    GiveawayColumnWarning,
    LargeGroupWarning,
    LeadingZerosWarning,
    NumbersAsTextWarning,
    OrderedColumnWarning,
    ReadAsWarning,
    RepeatedRowsWarning,
    RowNamesWarning,
    SingleRowClassWarning,
    TableWarning,
    UninformativeColumnWarning,
    WordsAmongNumbersWarning,
)
from workbench.datasets.arff import ArffAttribute, ArffTable, load_arff, read_arff, save_arff
from workbench.datasets.loading import list_datasets, load_dataset
from workbench.datasets.registry import REGISTRY, RegistryEntry, datasets_of, find
from workbench.datasets.tables import load_table

__all__ = [
    "REGISTRY",
    "ArffAttribute",
    "ArffTable",
    "CodesForMissingWarning",
    "GiveawayColumnWarning",
    "LargeGroupWarning",
    "LeadingZerosWarning",
    "NumbersAsTextWarning",
    "OrderedColumnWarning",
    "ReadAsWarning",
    "RegistryEntry",
    "RepeatedRowsWarning",
    "RowNamesWarning",
    "SingleRowClassWarning",
    "TableWarning",
    "UninformativeColumnWarning",
    "WordsAmongNumbersWarning",
    "datasets_of",
    "find",
    "list_datasets",
    "load_arff",
    "load_dataset",
    "load_table",
    "read_arff",
    "save_arff",
]
