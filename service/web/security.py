"""The headers of every page, added to those of every answer. No inline code, nothing from other origins."""

from service.http.security_headers import DOCUMENTS, NO_STORE

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

HEADERS = {"Content-Security-Policy": POLICY, "Cache-Control": NO_STORE, **DOCUMENTS}
