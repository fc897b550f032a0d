"""The rows of the bench, in the order they are printed.

A row is a module of this package with `measure(options: Options) -> Iterable[Result]`: to add one, write its file and
add its name here.
"""

ROWS: tuple[str, ...] = (
    "swap_kernel",
    "event_log",
    "top95",
    "swarm_turns",
    "seek",
    "generator",
    "exact_engine",
    "solve_list",
    "minimal_puzzles",
    "lab_report",
    "lab_million",
    "lab_overhead",
    "lab_cluster",
    "lab_resume",
    "z3_questions",
    "z3_interrupt",
    "complete_solvers",
    "populations",
    "populations_success",
    "first_paint",
    "frame",
    "key",
    "question",
    "ssh_lines",
    "thirty",
    "paused",
)
