"""A frame as SVG."""
