"""Fuzzing: whatever bytes come, they are accepted or refused by an error of ours, in bounded time and memory."""
