"""Fixed collections of truths under versioned names, stored as manifests of seeds and checksums."""
