"""The timeline: chart, lanes, transport."""
