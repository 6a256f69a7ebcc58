"""The vocabulary: byte-level BPE with LFM2's marks, trained on the generated conversations.

Digits are never merged, so that a number is read digit by digit. Run as a program, it writes `vocabulary.json`.
"""

import json
import re
from pathlib import Path

import tokenizers as hf

import curriculum
from words import Source

FILE = Path(__file__).resolve().parent / "vocabulary.json"
SIZE = 1000
CONTROL, USER_DEFINED, NORMAL = 3, 4, 1  # GGUF's token types: controls are never part of an answer's text

MARKS = [
    ("<|pad|>", CONTROL), ("<|startoftext|>", CONTROL), ("<|endoftext|>", CONTROL), ("<|im_start|>", CONTROL),
    ("<|im_end|>", CONTROL), ("<|tool_list_start|>", CONTROL), ("<|tool_list_end|>", CONTROL),
    ("<|tool_call_start|>", CONTROL), ("<|tool_call_end|>", CONTROL), ("<|tool_response_start|>", CONTROL),
    ("<|tool_response_end|>", CONTROL), ("<think>", USER_DEFINED), ("</think>", USER_DEFINED),
]
PAD, BOS, END_OF_TEXT, IM_START, IM_END = range(5)

# The regular expression of the `lfm2` pre-tokenizer, which is the one of Llama 3.
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)


def pre_tokenizer(*more):
    return hf.pre_tokenizers.Sequence([
        hf.pre_tokenizers.Split(hf.Regex(SPLIT), "isolated"), *more,
        hf.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def texts(count):
    """Generated conversations without their marks."""
    source = Source(seed=0)
    marks = re.compile("|".join(re.escape(mark) for mark, _ in MARKS))
    for _ in range(count):
        conversation, thinks = curriculum.draw(source)
        yield from marks.split("".join(text for text, _ in conversation.segments(thinks)))


def train():
    """Tokens in order of their ids, and merges in order of their rank."""
    learner = hf.Tokenizer(hf.models.BPE())
    learner.pre_tokenizer = pre_tokenizer(hf.pre_tokenizers.Digits(individual_digits=True))
    trainer = hf.trainers.BpeTrainer(
        vocab_size=SIZE - len(MARKS), initial_alphabet=hf.pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    learner.train_from_iterator(texts(20_000), trainer)
    learned = json.loads(learner.to_str())["model"]
    tokens = [mark for mark, _ in MARKS] + sorted(learned["vocab"], key=learned["vocab"].get)
    return tokens, [list(merge) for merge in learned["merges"]]


def load():
    stored = json.loads(FILE.read_text())
    return stored["tokens"], stored["merges"]


def types():
    return [kind for _, kind in MARKS] + [NORMAL] * (SIZE - len(MARKS))


def tokenizer():
    """The vocabulary in the `tokenizers` library."""
    tokens, merges = load()
    model = hf.models.BPE({token: index for index, token in enumerate(tokens)}, [tuple(merge) for merge in merges])
    built = hf.Tokenizer(model)
    built.pre_tokenizer = pre_tokenizer()
    built.decoder = hf.decoders.ByteLevel()
    built.add_special_tokens([mark for mark, kind in MARKS if kind == CONTROL])
    built.add_tokens([mark for mark, kind in MARKS if kind == USER_DEFINED])
    return built


def main():
    tokens, merges = train()
    assert len(tokens) == len(set(tokens)) == SIZE, len(tokens)
    lists = ",\n".join(f' "{key}": {json.dumps(values)}' for key, values in [("tokens", tokens), ("merges", merges)])
    FILE.write_text(f"{{\n{lists}\n}}\n")
    sample = "".join(texts(1000))
    print(f"{len(tokens)} tokens, {len(sample) / len(tokenizer().encode(sample).ids):.2f} characters each")


if __name__ == "__main__":
    main()
