"""Known holes in what we depend on."""
