"""Searches that find a solution or prove that there is none, each of them to be watched step by step.

Read first `norvig.py`, one file from the algorithm to its view. Then, by algorithm:

    backtrack.py, backtrack_mrv.py    depth-first search in a fixed order; the same with the fewest candidates first
    arcs.py, ac3.py, mac.py           arc consistency (AC-3), alone and maintained in a search; `arcs_view.py` displays
    exact_cover.py, dancing_links.py, dlx.py
                                      Sudoku as an exact cover; Knuth's dancing links; the solver
    cp_sat.py, cp_sat_engine.py       OR-Tools' CP-SAT, an opaque engine in a thread of its own

All but CP-SAT are stepped by a kernel: `search.py` is their base (limits, steps, endings), `board.py` has the tables of
a board. The fast engine without steps, which counts solutions, is `engine.solutions`.
"""
