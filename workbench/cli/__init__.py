"""The command line: `app` gathers one file a command, `options` holds what they share."""
