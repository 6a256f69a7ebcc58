"""Conversations as tokens, in batches of one length each."""

import torch

import curriculum

IGNORED = -100  # the label that torch's cross entropy leaves out
LENGTHS = (64, 128, 192, 256, 384, 512, 768, 1024)  # a batch is padded to one of these


def encode(tokenizer, conversation, thinks):
    """Token ids, and for each whether the assistant says it."""
    ids, said = [], []
    for text, is_said in conversation.segments(thinks):
        part = tokenizer.encode(text).ids
        ids += part
        said += [is_said] * len(part)
    return ids, said


def pad(encoded, length, pad_token):
    """`[rows, length]` ids, next ids, and weights: 1 for what the assistant says."""
    tokens = torch.full((len(encoded), length + 1), pad_token)
    said = torch.zeros(len(encoded), length + 1)
    real = torch.zeros(len(encoded), length + 1)
    for row, (ids, marks) in enumerate(encoded):
        tokens[row, :len(ids)] = torch.tensor(ids)
        said[row, :len(ids)] = torch.tensor(marks, dtype=torch.float)
        real[row, :len(ids)] = 1
    return tokens[:, :-1], tokens[:, 1:], said[:, 1:], real[:, 1:]


class Batches:
    """An endless stream of batches of about `size` tokens. Conversations of a like length stand together."""

    def __init__(self, source, tokenizer, size, pad_token):
        self.source, self.tokenizer, self.size, self.pad_token = source, tokenizer, size, pad_token
        self.waiting = {length: [] for length in LENGTHS}

    def __iter__(self):
        while True:
            ids, said = encode(self.tokenizer, *curriculum.draw(self.source))
            length = next((length for length in LENGTHS if len(ids) <= length), None)
            if length is None:
                continue
            row = self.waiting[length]
            row.append((ids, said))
            if len(row) * length >= self.size:
                yield pad(row, length, self.pad_token)
                self.waiting[length] = []
