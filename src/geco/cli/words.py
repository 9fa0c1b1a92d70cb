"""Messages of the library, in the words of the command line: options and keys of geco.toml, not arguments of Python."""

from __future__ import annotations

import re

_SAID: tuple[tuple[str, str], ...] = (
    (
        r"say what is good with target=\(low, high\); one end may be None",
        "say what is good with --target low:high; one end may be left out",
    ),
    (r"or target=\(low, high\) if it is a quantity", "or --target low:high if it is a quantity"),
    (r"with target=\.\.\.", "with --target, or target in [model]"),
    (r"^(fixed|only): D has no feature", r"--\1: the table has no column"),
    (r"exclude it: exclude=\[(['\"])(.+?)\1\]", r"leave it out with --exclude \2, or exclude in [data]"),
    (r"params=geco\.Params\(scale=\"mad\"\)", 'scale = "mad" in [distance]'),
    (r", with target=…, and only", ", and only"),
    (r" \(verify=False\)", ""),
    (r"exclude=\[(['\"])(.+?)\1\]", r"--exclude \2, or exclude in [data]"),
    (r"exclude what it does not take", "leave out the others with --exclude, or exclude in [data]"),
    (r"^exclude: there is no column", "--exclude: the table has no column"),
    (r"do not exclude them", "do not leave them out"),
    (r"use Database\.from_files", "name the folder as source in [data], or with --data"),
    (r"geco\.Torch\(module, output='logit'\) for", 'output = "logit" in [model] for'),
    (r"output='(probability|number)'", r'output = "\1"'),
    (r"; give the frame to Database\.from_frame", ""),
    (r", or read it with a library of yours and give the frame to Database\.from_frame", ""),
    (r"pass input='array' for a model on arrays", "give a model that takes arrays"),
    (r"load it with the model: Explainer\.load\(path, model=\.\.\.\)", "give the model, too, with --model"),
    (
        r"could not convert string to float: '(.*?)'",
        r"the model wants a number where the table has the text '\1'; mend that column, or leave out those rows",
    ),
    (
        r"give a threshold, or a function that returns the probability of the wanted label",
        "write threshold = 0.5 in [model] in place of target; 1 must have meant good when the model was fitted",
    ),
    (
        r"with prove=(\S+) seconds two runs would differ; a batch takes prove='quick' or False",
        r"with --prove \1 two runs would differ, as clocks do; a batch takes --prove quick or --prove no",
    ),
    (r"make one with explainer\.save\(path\)", "make one with geco save"),
    (r"\bD does not have\b", "the table does not have"),
    (r"\bbut D has\b", "but the table has"),
    (r"add them to D\b", "add them to the table"),
    (r"\bD has no row\b", "the table has no row"),
    (r"rows of D\b", "rows of the table"),
    (r"\bon a sample of D\b", "on a sample of the table"),
    (r"\bD has no feature\b", "the table has no column"),
    (r"^the database has", "the table has"),
    (r"\bthe database has no feature\b", "the table has no column"),
    (r"^x has no value for", "the instance has no value for"),
    (r"give all (\d+) features of the schema", r"give all \1 features of the table"),
)
_PATTERNS = tuple((re.compile(pattern), words) for pattern, words in _SAID)


def in_words(message: str) -> str:
    """The message as somebody at a command line would say it.

    Examples
    --------
    >>> in_words("say which outcome is good with target=...; the model's classes are 'bad', 'good'")
    "say which outcome is good with --target, or target in [model]; the model's classes are 'bad', 'good'"
    """
    for pattern, words in _PATTERNS:
        message = pattern.sub(words, message)
    return message
