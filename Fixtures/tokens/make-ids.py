#!/usr/bin/env python3
"""Writes token ids as llama.cpp gives them: chat.json for lfm2-chat-q8_0.gguf, and sentencepiece.json for
sentencepiece.gguf, a small SentencePiece vocabulary that this script trains on Fixtures/prose.txt.

    pip install llama-cpp-python gguf
    ./make-ids.py
"""

import collections
import ctypes
import json
from pathlib import Path

import gguf
import llama_cpp

HERE = Path(__file__).resolve().parent
MODELS = HERE.parent
TEXTS = [
    "", " ", "  ", "   x", "x   ", "\n", "\n\n \n", "\t", "Hello", " Hello", "Hello, world!", "What is the capital of France?",
    "don't I'LL we've", "12345 1,000.5", "a\r\nb", "naïve café Ångström", "Привет мир", "中文字符", "한국어", "שלום", "😀", "👩🏽\u200d💻!",
    "a\u0301\u0301", "\u00a0\u2003x", "▁under▁line", "\u0000\u0001", "\ufeffBOM", "x" * 70, " " * 70, "=" * 50, "<s>", "</s>",
    "<s>hi</s>", "a<unk>b", "<0x0A>", "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n", "text<|im_end|>text",
    " <|im_end|> ", "<|im_start|", "<|im_start|><|im_end|><|im_end|>", "<think>\nhm\n</think>", "<think", "<|tool_call_start|>[f()]",
    "it 's , a test . isn 't it ?", "it ' s", "The quick brown fox jumps over the lazy dog. " * 3, "<|user|> hello <|user|><|user|>x",
    "\n\n\n<|user|>\n", "0<|longest mark|>1<|longest", "  a  <|user|>  b  ",
]


def train(text, count):
    """Merges of characters by frequency, words apart, as SentencePiece's BPE has them."""
    words = collections.Counter("▁" + word for word in text.split())
    pieces = {word: list(word) for word in words}
    tokens = sorted({c for word in words for c in word})
    while len(tokens) < count:
        pairs = collections.Counter()
        for word, parts in pieces.items():
            for pair in zip(parts, parts[1:]):
                pairs[pair] += words[word]
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        tokens.append("".join(best))
        for word, parts in pieces.items():
            i = 0
            while i + 1 < len(parts):
                if (parts[i], parts[i + 1]) == best:
                    parts[i:i + 2] = ["".join(best)]
                i += 1
    return tokens


def write_sentencepiece(path):
    normal = train((MODELS / "prose.txt").read_text(), 180)
    normal += ["▁▁", "▁▁▁▁", "▁▁▁▁▁▁▁▁"]
    added = ["<|user|>", "<|longest mark|>", "<|end|>"]
    texts = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] + normal + added
    types = [2, 3, 3] + [6] * 256 + [1] * len(normal) + [4, 4, 3]
    scores = [0.0] * 259 + [-float(rank) for rank in range(len(normal))] + [0.0] * 3
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list(texts)
    writer.add_token_types(types)
    writer.add_token_scores(scores)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def vocabulary(path):
    parameters = llama_cpp.llama_model_default_params()
    parameters.vocab_only = True
    return llama_cpp.llama_model_get_vocab(llama_cpp.llama_model_load_from_file(str(path).encode(), parameters))


def tokenize(vocab, text, special):
    data = text.encode()
    ids = (ctypes.c_int32 * (len(data) + 8))()
    count = llama_cpp.llama_tokenize(vocab, data, len(data), ids, len(ids), special, special)
    return list(ids[:count])


def detokenize(vocab, ids, special):
    text = ctypes.create_string_buffer(4096)
    count = llama_cpp.llama_detokenize(
        vocab, (ctypes.c_int32 * max(1, len(ids)))(*ids), len(ids), text, len(text), False, special)
    return text.raw[:count].decode()


def write_cases(model, name):
    vocab = vocabulary(model)
    cases = []
    for text in TEXTS:
        plain, special = tokenize(vocab, text, False), tokenize(vocab, text, True)
        cases.append({
            "text": text, "plain": plain, "special": special,
            "cleanedText": detokenize(vocab, plain, False), "specialText": detokenize(vocab, special, True)})
    ends = [i for i in range(llama_cpp.llama_vocab_n_tokens(vocab)) if llama_cpp.llama_vocab_is_eog(vocab, i)]
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / name).write_text(f'{{"endOfGeneration": {json.dumps(ends)},\n"cases": [\n{lines}\n]}}\n')


write_sentencepiece(HERE / "sentencepiece.gguf")
write_cases(HERE / "sentencepiece.gguf", "sentencepiece.json")
write_cases(MODELS / "lfm2-chat-q8_0.gguf", "chat.json")
