"""What is on disk: the manifest, the page, cards and files of the models, and the journal of what is done."""
