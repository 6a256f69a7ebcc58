#!/usr/bin/env python3
"""Checks a model file against PyTorch, and the chat template against the conversations that the model was trained on.

    scripts/leap-tiny/check.py MODEL.gguf [--leap .build/release/leap]

The file's tensors are dequantised by the `gguf` package and put into the PyTorch model in double precision. Differences
of logits are root mean squares, as a share of the logits' own spread. The same weights as a file of float32 must agree
to `EXACT`, for which keys and values in half precision leave room; in the file itself, `leap` also rounds activations
to eight bits, which may cost `ROUNDED`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import gguf
import jinja2
import numpy as np
import torch

import curriculum
import vocabulary
from batches import encode
from export import TEMPLATE, write
from model import LFM2, gguf_names
from words import Source

EXACT, ROUNDED = 0.001, 0.05
PROMPTS, CONVERSATIONS = 12, 2000


def load(path):
    """The PyTorch model with a file's weights, in double precision."""
    tensors = {tensor.name: gguf.quants.dequantize(tensor.data, tensor.tensor_type) for tensor in
               gguf.GGUFReader(path).tensors}
    model = LFM2()
    for (ours, theirs), parameter in zip(gguf_names(model).items(), model.parameters()):
        parameter.data = torch.tensor(np.array(tensors[theirs])).reshape(parameter.shape)
    return model.double().eval()


def logits(leap, model, tokens):
    """What `leap` computes after the last token."""
    with tempfile.NamedTemporaryFile() as out:
        ids = ",".join(map(str, tokens))
        subprocess.run([str(leap), "logits", str(model), "--tokens", ids, "--out", out.name], check=True)
        return np.fromfile(out.name, "<f4")


@torch.no_grad()
def compare_logits(leap, model, path):
    """The difference from PyTorch over some conversations."""
    tokenizer, source = vocabulary.tokenizer(), Source("check")
    differences, spreads = [], []
    for _ in range(PROMPTS):
        ids, _ = encode(tokenizer, *curriculum.draw(source))
        ids = ids[:source.integer(1, len(ids))]
        exact = model(torch.tensor([ids]))[0, -1].numpy()
        differences.append(np.mean((logits(leap, path, ids) - exact) ** 2))
        spreads.append(np.var(exact))
    return (np.mean(differences) / np.mean(spreads)) ** 0.5


def compare_template():
    """Asserts that the template renders what the model was trained on, with tools in either of the usual wrappings."""
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    template, source = environment.from_string(TEMPLATE.read_text()), Source("templates")
    for _ in range(CONVERSATIONS):
        conversation, thinks = curriculum.draw(source)
        segments = list(conversation.segments(thinks))
        system = [{"role": "system", "content": conversation.system}] if conversation.system else []
        messages = system + [{"role": turn.role, "content": turn.content} for turn in conversation.turns[:-1]]
        wrapped = [{"type": "function", "function": tool} for tool in conversation.tools]
        for tools in (conversation.tools, wrapped):
            rendered = template.render(messages=messages, tools=tools, bos_token="<|startoftext|>",
                                       add_generation_prompt=True, enable_thinking=thinks)
            assert rendered == "".join(text for text, _ in segments[:-2]), rendered


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--leap", type=Path, default=Path(".build/release/leap"))
    options = arguments.parse_args()
    compare_template()
    print(f"the template renders {CONVERSATIONS} conversations as they were trained")
    model = load(options.model)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "leap-tiny-f32.gguf"
        write(model, plain, "f32")
        exact = compare_logits(options.leap, model, plain)
    rounded = compare_logits(options.leap, model, options.model)
    print(f"logits differ from PyTorch's by {exact:.1e} in float32 ({EXACT} allowed), "
          f"by {rounded:.4f} in this file ({ROUNDED} allowed)")
    sys.exit(int(exact > EXACT or rounded > ROUNDED))


if __name__ == "__main__":
    main()
