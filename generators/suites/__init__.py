"""Fixed collections of truths under versioned names, kept as manifests of seeds and checksums."""
