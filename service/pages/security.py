"""The headers of every page. Nothing is inline and nothing comes from elsewhere."""

HTML = "text/html"  # in UTF-8, as the framework adds

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

# With `no-referrer` browsers send `Origin: null` with our own forms too, and by plain HTTP nothing else tells them
# from another site's.
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
