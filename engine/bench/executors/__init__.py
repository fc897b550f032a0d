"""Run the trials of an experiment: in this process, in worker processes, on a Dask cluster."""
