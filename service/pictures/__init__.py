"""Pictures of a frame, drawn from its zones alone: a game type that is added tomorrow draws itself."""
