"""What each paper concludes from its tables, and rules that say whether tables bear it out."""
