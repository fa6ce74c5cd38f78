"""Classes of networks that rows cannot distinguish, found by a search or in a sample."""
