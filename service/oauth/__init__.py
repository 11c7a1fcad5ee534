"""Sign-in for apps: OAuth 2.1 with Authlib's checks; the records of apps and of the rights that players gave them."""
