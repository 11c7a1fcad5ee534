"""Players that are programs: clients like any other, which know the API and nothing of the rules' code."""
