"""What readers of data sets share: lines and numbers of text files, and the class column."""
