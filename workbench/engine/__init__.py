"""How a study is computed: problems, workers, pools and clusters, scoring, dry runs and rescoring."""
