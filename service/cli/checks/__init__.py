"""The checks of `kibitz doctor`."""
