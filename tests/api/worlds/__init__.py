"""Two worlds side by side over real HTTP, equal but for cards that one client cannot see."""
