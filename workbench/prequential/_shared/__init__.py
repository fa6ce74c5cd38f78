"""What every recalibration map does."""
