#!/usr/bin/env python3
"""Measures a model file: how many held-out conversations of each skill `leap` answers as it should, greedily.

    scripts/leap-tiny/measure.py MODEL.gguf [--leap .build/release/leap] [--count 50]

Every answer in a conversation is generated from the expected text before it, and the conversation counts only if all
of them are right to the last token.
"""

import argparse
import json
import subprocess
from pathlib import Path

import curriculum
import evaluate
import vocabulary

LONGEST_ANSWER = 300  # tokens


def answers(conversation, thinks):
    """Pairs of the text before an answer, and the answer."""
    before = ""
    for text, is_said in conversation.segments(thinks):
        if is_said:
            yield before, text
        before += text


class Leap:
    """The tool, continuing a text with a model."""

    def __init__(self, program, model):
        self.program, self.model = str(program), str(model)

    def tokens(self, prompt):
        """Ids of the greedy continuation."""
        text = prompt.removeprefix("<|startoftext|>")  # which the tool writes itself
        found = subprocess.run(
            [self.program, "run", self.model, "-", "--raw", "--json", "--temp", "0", "-n", str(LONGEST_ANSWER),
             "-t", "1"],
            input=text.encode(), capture_output=True, check=True)
        return json.loads(found.stdout)["tokens"]


def is_right(leap, tokenizer, conversation, thinks):
    end = [vocabulary.IM_END]
    for prompt, expected in answers(conversation, thinks):
        said = leap.tokens(prompt)
        wanted = tokenizer.encode(expected).ids
        if said not in (wanted, wanted[:-1] if wanted[-1:] == end else wanted):
            return False
    return True


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--leap", type=Path, default=Path(".build/release/leap"))
    arguments.add_argument("--count", type=int, default=50, help="conversations of each skill, twice")
    options = arguments.parse_args()
    leap, tokenizer = Leap(options.leap, options.model), vocabulary.tokenizer()
    print(f"{'skill':<12} at once  after a thought")
    for skill in curriculum.SKILLS:
        rates = [sum(is_right(leap, tokenizer, *case) for case in evaluate.cases(skill, options.count, thinks))
                 / options.count for thinks in (False, True)]
        print(f"{skill:<12} {rates[0]:7.0%}  {rates[1]:7.0%}", flush=True)


if __name__ == "__main__":
    main()
