"""Jobs: work that takes long runs in child processes beside the service."""
