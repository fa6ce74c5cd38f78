"""Figures that put several displays together."""
