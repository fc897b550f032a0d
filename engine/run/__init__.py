"""One run: forwards and backwards, recorded, saved, replayed, branched."""
