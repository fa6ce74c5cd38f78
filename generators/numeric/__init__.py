"""Random truths whose attributes are numbers; a file for each generator."""
