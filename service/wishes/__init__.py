"""Deals by wish: a stock of deals that a solver has won, filled beside the worker, each dealt once."""
