"""Data sets: those of the papers by name, and ARFF, CSV and Parquet files."""

from workbench.datasets.arff import ArffAttribute, ArffTable, load_arff, read_arff, save_arff
from workbench.datasets.delimited import load_table
from workbench.datasets.loading import list_datasets, load_dataset
from workbench.datasets.registry import REGISTRY, RegistryEntry, datasets_of, find

__all__ = [
    "REGISTRY",
    "ArffAttribute",
    "ArffTable",
    "RegistryEntry",
    "datasets_of",
    "find",
    "list_datasets",
    "load_arff",
    "load_dataset",
    "load_table",
    "read_arff",
    "save_arff",
]
