"""Benchmarks: one JSON document of medians, and of ratios to baselines measured in the same run. No assertions."""
