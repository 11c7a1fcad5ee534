"""Connections: uvicorn's HTTP protocol, with bounds on how many there are and on what a request takes to come."""
