"""Data sets that the papers made from others."""

import pandas as pd

__all__ = ["float_glass", "without_best_attribute"]

FLOAT = ("build wind float", "vehic wind float")
NON_FLOAT = ("build wind non-float",)
BEST_ATTRIBUTE = "physician-fee-freeze"


def float_glass(X: pd.DataFrame, y: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    """Keep the window glass: float-processed, of buildings or vehicles, against the rest.

    Parameters
    ----------
    X : DataFrame of shape (214, 9)
    y : Series of shape (214,)
        The types of the glass data.

    Returns
    -------
    X : DataFrame of shape (163, 9)
    y : Series of shape (163,)
        ``float`` (87 rows) and ``non-float`` (76 rows).

    Examples
    --------
    >>> X, y = float_glass(pd.DataFrame({"Na": [1.0, 2.0]}), pd.Series(["headlamps", "vehic wind float"]))
    >>> X["Na"].tolist(), y.tolist()
    ([2.0], ['float'])
    """
    names = dict.fromkeys(FLOAT, "float") | dict.fromkeys(NON_FLOAT, "non-float")
    kept = y.isin(list(names)).to_numpy()
    classes = pd.Categorical(y[kept].astype(object).map(names), categories=["float", "non-float"])
    return X[kept].reset_index(drop=True), pd.Series(classes, name=y.name)


def without_best_attribute(X: pd.DataFrame, y: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    """Drop from the votes the one that nearly gives the party away.

    Parameters
    ----------
    X : DataFrame of shape (435, 16)
    y : Series of shape (435,)

    Returns
    -------
    X : DataFrame of shape (435, 15)
    y : Series of shape (435,)

    Examples
    --------
    >>> votes = pd.DataFrame({"crime": ["y"], "physician-fee-freeze": ["n"]})
    >>> list(without_best_attribute(votes, pd.Series(["democrat"]))[0])
    ['crime']
    """
    return X.drop(columns=BEST_ATTRIBUTE), y
