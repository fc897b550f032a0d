"""Exact solvers: complete searches, which find a solution or prove that there is none, and arc consistency alone.

Read first `norvig.py`, which opens with `eliminate` and `assign`; `norvig_state.py` and `norvig_view.py` hold its data
and its display. Then, by algorithm:

    backtrack.py, backtrack_mrv.py    depth-first search in a fixed order; the same with the fewest candidates first
    cell_choice.py                    minimum remaining values (MRV), with ties by degree
    arcs.py, ac3.py, mac.py           arc consistency (AC-3), alone and maintained in a search; `arcs_view.py` displays
    exact_cover.py, dancing_links.py, dlx.py
                                      Sudoku as an exact cover; Knuth's dancing links; the solver
    cp_sat.py, cp_sat_engine.py       OR-Tools' CP-SAT: the solver; the engine in its thread

All but CP-SAT are stepped by a kernel: `search.py` is their base (limits, steps, endings), `board.py` has the tables of
a board. The fast engine without steps, which counts solutions, is `engine.solutions`.
"""
