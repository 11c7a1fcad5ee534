"""What `kibitz doctor` looks at."""
