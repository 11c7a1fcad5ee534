"""Apps that players let act for them, and the endpoints of OAuth 2.1."""
