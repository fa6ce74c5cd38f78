"""Truths as JSON documents, and networks as BIF, pgmpy and networkx."""
