"""Truths as JSON documents, and networks as BIF, XMLBIF, Hugin's .net, pgmpy and networkx."""
