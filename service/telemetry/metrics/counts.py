"""The process's metrics: hot paths add to them, `/metrics` shows them."""

from domain.play.deciding import Step
from domain.play.events import Finished
from service.telemetry.metrics.tallies import SIZES, Counts, Distributions

REQUESTS = Counts("kibitz_requests_total", "Answers by operation and status.", "operation", "status")
REQUEST_SECONDS = Distributions("kibitz_request_seconds", "Seconds until an answer begins.", "operation")

COMMANDS = Counts(
    "kibitz_commands_total",
    "Commands by what became of them; reason: the slug of the rule, or the kind of the refusal.",
    "game_type", "outcome", "reason",
)  # fmt: skip
COMMAND_SECONDS = Distributions("kibitz_command_seconds", "Seconds from a command to its answer.", "game_type")

OPENED = Counts("kibitz_games_opened_total", "Games opened.", "game_type")
FINISHED = Counts("kibitz_games_finished_total", "Games that came to an end.", "game_type")

BATCH_SIZE = Distributions("kibitz_append_batch_size", "Appends in one transaction.", bounds=SIZES)
BATCH_SECONDS = Distributions("kibitz_append_seconds", "Seconds of one transaction of the writer.")
COMMITS = Counts("kibitz_commits_total", "Transactions of the writer that committed something.")
BATCHES = Counts("kibitz_append_batches_total", "Batches of the writer by way: flight, thorough.", "way")
APPENDS = Counts("kibitz_appends_total", "Appends by outcome: stored, conflict, repeated, failed.", "outcome")

LOOKUPS = Counts("kibitz_cache_lookups_total", "Looks into a cache, hits and misses.", "cache", "outcome")
FOLDED = Counts("kibitz_events_folded_total", "Events that this process's worker has folded.", "projection")
PASSED_ON = Counts(
    "kibitz_requests_passed_on_total", "Requests passed on to the process that holds the game.",
    "outcome",
)  # fmt: skip
ROUND_SECONDS = Distributions("kibitz_projection_round_seconds", "Seconds of a round that folded something.")
LINES_DROPPED = Counts("kibitz_log_lines_dropped_total", "Log lines lost because stderr took none.")


def count_opening(step: Step) -> None:
    """Count an opened game; it may be over with its deal."""
    OPENED[(step.game.type.key,)] += 1
    count_step(step)


def count_step(step: Step) -> None:
    """Count the game as finished if this step ended it."""
    if step.game.status == "finished" and any(isinstance(record.event, Finished) for record in step.records):
        FINISHED[(step.game.type.key,)] += 1
