"""Sec. 5.2: how a choice is judged. In rooms, each importing only from those before it:

    registry.py   which function asks or reads the models of a library; keys are text
    kinds/        what a compiled model is
    goal/         what counts as good
    asking/       the user's object, and how it is asked
    libraries/    one folder per library: how its models are asked and read
    compiling/    the user's object ▶ a compiled model over encoded group tables
    scoring/      candidates ▶ outcomes, by the user's object or by the compiled model

Never imports search/: a model sees candidates and not who proposed them.
"""
