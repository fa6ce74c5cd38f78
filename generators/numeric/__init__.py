"""Random truths whose attributes are numbers; one file per generator."""
