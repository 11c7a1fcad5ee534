"""A story in which every operation is asked for once with success and once in vain: what the description's examples
are recorded from, and are tested against."""
