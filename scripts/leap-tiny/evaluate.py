"""How many held-out conversations of each skill the model answers as it should.

An answer counts only if it is right to the last token. Under greedy decoding that is so exactly where each token of the
expected answer is the most likely one after those before it, so that one pass over the expected text decides.
"""

import torch

import curriculum
import vocabulary
from batches import LENGTHS, encode, pad
from words import Source

ROWS = 16


def cases(skill, count, thinks):
    """Held-out conversations of a skill."""
    source = Source(seed=f"evaluation of {skill}", held_out=True)
    make = curriculum.SKILLS[skill][0]
    return [(make(source), thinks) for _ in range(count)]


@torch.no_grad()
def rate(model, tokenizer, conversations):
    """The share of conversations in which all that the assistant says is the most likely."""
    encoded = [encode(tokenizer, *conversation) for conversation in conversations]
    encoded.sort(key=lambda pair: len(pair[0]))
    right = 0
    for start in range(0, len(encoded), ROWS):
        rows = encoded[start:start + ROWS]
        longest = max(len(ids) for ids, _ in rows)
        length = next(length for length in LENGTHS if longest <= length)
        tokens, following, said, _ = pad(rows, length, vocabulary.PAD)
        with torch.autocast("cpu", torch.bfloat16):
            best = model(tokens).argmax(-1)
        right += ((best == following) | (said == 0)).all(1).sum().item()
    return right / len(encoded)


def report(model, tokenizer, count=32):
    """The rate of every skill, answered at once and after a thought."""
    model.eval()
    found = {skill: tuple(rate(model, tokenizer, cases(skill, count, thinks)) for thinks in (False, True))
             for skill in curriculum.SKILLS}
    model.train()
    return found


def table(rates):
    return "\n".join(f"  {skill:<12} {at_once:6.1%} {thinking:6.1%}" for skill, (at_once, thinking) in rates.items())
