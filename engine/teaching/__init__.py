"""The teaching layer: `hands_on` puts the next step of a run to the learner, question by question; `quiz` asks about p
alone and scores the forecasts; `guess` asks which solver made a curve of E; `progress` counts the answers.

The questions themselves are part of the contract of solvers, in `engine.questions`.
"""
