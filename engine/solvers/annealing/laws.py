"""The rules of an annealer in words, as facts of questions: (name, value)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.solvers.annealing import parameters
from engine.solvers.annealing.parameters import Config
from engine.solvers.annealing.state import AnnealState
from engine.view import Line

Law = tuple[tuple[str, str], ...]

CONDITIONS: Final = {parameters.METROPOLIS: "ΔE ≤ 0, or u < e^(−ΔE/T)",
                     parameters.COURSE_SHEET: "ΔE < 0, or u < e^(−ΔE/T)",
                     parameters.STRICT: "ΔE < 0", parameters.SIDEWAYS: "ΔE ≤ 0"}
"""The conditions of the built-in rules of acceptance. For any other rule the program says when a move is accepted."""


def moves(state: AnnealState) -> str:
    """A move, described by a clause."""
    unit = "box" if state.now["boxes"] else "row"
    return {
        parameters.CONFLICT_SWAP: f"two free cells of a {unit}, one of them in conflict, change places",
        parameters.EXTENDED: "two free cells of a band of rows change places, or three of a row in turn",
    }.get(int(state.now["neighbourhood"]), f"two free cells of a {unit} change places")


def of_verdicts(config: Config, program: Iterable[Line]) -> Law:
    """When a move is accepted: the condition of the rule, or the program lines that say so."""
    condition = CONDITIONS.get(int(config["rule"]))
    if condition is not None:
        return (("accept if", condition),)
    return tuple(("rule", line.text.strip()) for line in program if line.id in ("accept", "uphill"))


def of_cooling(state: AnnealState, config: Config) -> Law:
    """The next temperature; empty for a schedule that cools otherwise than at the end of a plateau."""
    alpha, base = f"{float(config['alpha']):g}", float(state.now["base"])
    start = "T₀" if base == start_temperature(state, config) else "T₁"
    counted = f"{base:g}" if start == "T₀" else f"{base:g}, the T it counts from"
    rules = {
        parameters.EXPONENTIAL: (("rule", "T ← α·T"), ("α", alpha)),
        parameters.LINEAR: (("rule", f"T ← {start}·(1 − k/levels)"), (start, counted),
                            ("levels", str(int(config["levels"]))),
                            ("k", f"{int(state.now['level']) + 1}, plateaus since T was {start}")),
        parameters.ADAPTIVE: (("rule", "α²·T if over 80 % are accepted, √α·T if under 20 %, else α·T"), ("α", alpha)),
        parameters.CONSTANT: (("rule", "T stays"),),
    }
    rule, lowest = rules.get(int(config["schedule"]), ()), floor(config)
    return (*rule, ("floor", f"{lowest:g}: no T falls below it, and one below it stays")) if rule and lowest else rule


def floor(config: Config) -> float:
    """The T at which the schedule is held; 0 if it is not."""
    held = config["at_floor"] == parameters.AT_FLOOR_HOLD and config["schedule"] != parameters.CONSTANT
    return float(config["t_min"]) if held else 0.0


def ends_attempt(T: float, config: Config) -> bool:
    """Whether an attempt ends once T is down to this value at the end of a plateau."""
    falls = config["at_floor"] == parameters.AT_FLOOR_RESTART and config["schedule"] != parameters.CONSTANT
    return bool(falls and config["t_min"] >= T)


def of_reheats(state: AnnealState, config: Config) -> Law:
    """The temperature after a reheat; empty for a solver that never reheats."""
    if not config["stagnation"]:
        return ()
    factor, rule = f"{float(config['factor']):g}", int(config["factor_rule"])
    shrunk = {parameters.DIVIDED_FACTOR: f"{factor}/(1 + n)", parameters.SHRINKING_FACTOR: f"{factor}·0.6ⁿ"}
    done = (("n", f"{int(state.now['reheats'])}, reheats so far"),) if rule in shrunk else ()
    return (("rule", "T ← f·T₀" if config["reheat_sets"] else "T ← max(T, f·T₀)"), ("f", shrunk.get(rule, factor)),
            *done, ("T₀", f"{start_temperature(state, config):.6g}, T at the start"))


def start_temperature(state: AnnealState, config: Config) -> float:
    """`cooling.start_temperature`, without compiled code."""
    return float(config["t0"]) or float(state.now["calibrated"])
