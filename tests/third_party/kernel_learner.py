"""A classifier that weights all training rows by their similarity."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class KernelClassifier(ClassifierMixin, BaseEstimator):
    """Weight training rows by similarity (Aitchison and Aitken, 1976)."""

    def __init__(self, same=0.9, alpha=0.5):
        self.same, self.alpha = same, alpha  # weight of an equal value; pseudo-count of a class

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.allow_nan = True  # so X is a DataFrame of categories
        return tags

    def fit(self, X, y):
        self.values_ = {name: X[name].cat.categories for name in X}  # declared ones, seen or not
        self.classes_, classes = np.unique(y, return_inverse=True)
        self.rows_, self.one_hot_ = self._codes(X), np.eye(len(self.classes_))[classes]
        return self

    def predict_proba(self, X):
        weight = np.ones((len(X), len(self.rows_)))
        for new, old, values in zip(self._codes(X).T, self.rows_.T, self.values_.values(), strict=True):
            differ = (new[:, None] != old) & (new[:, None] >= 0) & (old >= 0)
            weight[differ] *= (1 - self.same) / self.same / max(len(values) - 1, 1)
        counts = weight @ self.one_hot_ + self.alpha
        return counts / counts.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _codes(self, X):  # -1 where a value is missing, or nobody declared it
        return np.column_stack([values.get_indexer(X[name]) for name, values in self.values_.items()])
