"""Whether a deal can be won: bounded, deterministic searches through the games' own rules; not part of the rules."""

from .finding import Finding, Solver, Verdict
from .verdict import SOLVERS, dealt, verdict

__all__ = ["SOLVERS", "Finding", "Solver", "Verdict", "dealt", "verdict"]
