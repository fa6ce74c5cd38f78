"""Figures that combine several displays."""
