"""Sign-in for apps: OAuth 2.1 with Authlib's checks; what is kept of apps, and what players have allowed them."""
