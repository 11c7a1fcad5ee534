"""A whole game as one page that needs nothing else."""
