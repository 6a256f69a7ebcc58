#!/usr/bin/env python3
"""Writes a trained checkpoint as GGUF files.

    scripts/leap-tiny/export.py CHECKPOINT FOLDER

`leap-tiny-q8_0.gguf` and `leap-tiny-q4_k_m.gguf`: the latter has Q6_K where a Q4_K_M file has it (embedding, values,
half of the down projections) and Q4_K elsewhere. Vectors and the convolutions' taps are F32.
"""

import argparse
from pathlib import Path

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as T

import quantize
import vocabulary
from model import EPSILON, LFM2, ROPE_BASE, TAPS, gguf_names

TEMPLATE = Path(__file__).resolve().parent / "chat_template.jinja"
FILE_TYPES = {"q8_0": gguf.LlamaFileType.MOSTLY_Q8_0, "q4_k_m": gguf.LlamaFileType.MOSTLY_Q4_K_M,
              "f32": gguf.LlamaFileType.ALL_F32}
SHIPPED = ["q8_0", "q4_k_m"]


def kind_of(name, values, file_type):
    """The tensor's type in a file of a type."""
    if values.ndim == 1 or "shortconv.conv" in name or file_type == "f32":
        return T.F32
    if file_type == "q8_0":
        return T.Q8_0
    layer = int(name.split(".")[1]) if name.startswith("blk.") else 0
    is_precious = name.startswith("token_embd") or "attn_v" in name or ("ffn_down" in name and layer % 2 == 0)
    return T.Q6_K if is_precious else T.Q4_K


def encode(values, kind):
    if kind == T.Q4_K:
        return quantize.q4_k(values)
    if kind == T.Q6_K:
        return quantize.q6_k(values)
    return gguf.quants.quantize(values, kind)


def tensors(model):
    """GGUF name and values of every parameter."""
    parameters = dict(model.named_parameters())
    return {theirs: parameters[ours].detach().numpy().astype(np.float32) for ours, theirs in gguf_names(model).items()}


def write(model, path, file_type):
    writer = gguf.GGUFWriter(path, "lfm2")
    add_description(writer, FILE_TYPES[file_type])
    add_hyper_parameters(writer, model.shape)
    add_vocabulary(writer)
    for name, values in tensors(model).items():
        kind = kind_of(name, values, file_type)
        writer.add_tensor(name, encode(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_description(writer, file_type):
    writer.add_type("model")
    writer.add_name("leap-tiny")
    writer.add_basename("leap-tiny")
    writer.add_size_label("4M")
    writer.add_license("apache-2.0")
    writer.add_languages(["en"])
    writer.add_description("A very small model for trying out and testing: greetings, small arithmetic, function "
                           "calls, JSON. It knows next to nothing.")
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_file_type(file_type)
    # Greedy, and free to repeat itself: what it has learnt is to copy.
    writer.add_sampling_temp(0.0)
    writer.add_sampling_min_p(0.0)
    writer.add_sampling_penalty_repeat(1.0)


def add_hyper_parameters(writer, shape):
    writer.add_vocab_size(shape.vocabulary)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_feed_forward_length(shape.hidden)
    writer.add_block_count(len(shape.key_value_heads))
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(list(shape.key_value_heads))
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_freq_base(ROPE_BASE)
    writer.add_shortconv_l_cache(TAPS)


def add_vocabulary(writer):
    tokens, merges = vocabulary.load()
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("lfm2")
    writer.add_token_list(tokens)
    writer.add_token_types(vocabulary.types())
    writer.add_token_merges([f"{left} {right}" for left, right in merges])
    writer.add_bos_token_id(vocabulary.BOS)
    writer.add_eos_token_id(vocabulary.IM_END)
    writer.add_pad_token_id(vocabulary.PAD)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    writer.add_chat_template(TEMPLATE.read_text())


def load(checkpoint):
    model = LFM2()
    model.load_state_dict(torch.load(checkpoint, weights_only=True)["model"])
    return model.eval()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("checkpoint", type=Path)
    arguments.add_argument("folder", type=Path)
    options = arguments.parse_args()
    model = load(options.checkpoint)
    for file_type in SHIPPED:
        path = options.folder / f"leap-tiny-{file_type}.gguf"
        write(model, path, file_type)
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
