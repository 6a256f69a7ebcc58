#!/usr/bin/env python3
"""Measures model files: how many held-out conversations of each skill `leap` answers as it should, greedily.

    scripts/leap-tiny/measure.py MODEL.gguf ... [--leap .build/release/leap] [--count 50]

Every answer in a conversation is generated from the expected text before it, and the conversation counts only if all
of them are right to the last token. Prints a table in Markdown.
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
        # The tool writes the first mark itself, and drops a newline at the end of its input.
        text = prompt.removeprefix("<|startoftext|>") + "\n"
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


def rate(leap, tokenizer, skill, count, thinks):
    """The share of held-out conversations of a skill that are right."""
    return sum(is_right(leap, tokenizer, *case) for case in evaluate.cases(skill, count, thinks)) / count


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("models", type=Path, nargs="+")
    arguments.add_argument("--leap", type=Path, default=Path(".build/release/leap"))
    arguments.add_argument("--count", type=int, default=50, help="conversations of each skill, twice")
    options = arguments.parse_args()
    tools, tokenizer = [Leap(options.leap, model) for model in options.models], vocabulary.tokenizer()
    columns = [f"{model.stem}: at once | after a thought" for model in options.models]
    print(f"| Skill | {' | '.join(columns)} |\n|---{'|---|---' * len(columns)}|")
    for skill in curriculum.SKILLS:
        rates = [f"{rate(leap, tokenizer, skill, options.count, thinks):.0%}"
                 for leap in tools for thinks in (False, True)]
        print(f"| {skill} | {' | '.join(rates)} |", flush=True)


if __name__ == "__main__":
    main()
