"""The command line: `app` gathers the commands, one file each; `options` holds what they share."""
