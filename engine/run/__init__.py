"""A run and its parts, from the bottom up. A module imports only those above it.

recipe, breakpoints     the data of a run, also as one line; conditions at which playing halts
series                  samples for charts and an index of rare events, of bounded size
cursor                  a solver moving forward, with interventions applied
checkpoints             copies of the state along a run
recorder                a solver that records the steps of another
run                     advance, stop, seek, find, intervene, branch
run_file                saving and replaying
solve                   to the end or to a limit, without history
"""
