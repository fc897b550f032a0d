"""One file a solver, grouped by family; `engine.registry` has the names."""
