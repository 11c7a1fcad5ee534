"""The house's bots: programs that take an empty seat when somebody asks for it, and know what their seat may know."""
