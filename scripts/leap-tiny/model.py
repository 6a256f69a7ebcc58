"""LFM2 in PyTorch, as `Sources/LeapModels/Architectures/LFM2.swift` computes it."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

import vocabulary

EPSILON = 1e-5
ROPE_BASE = 10_000.0
TAPS = 3


@dataclass(frozen=True)
class Shape:
    """Rows of quantised matrices are blocks of 256 weights, so that `width` and `hidden` are multiples of that."""

    vocabulary: int = vocabulary.SIZE
    width: int = 256
    hidden: int = 512
    heads: int = 4
    key_value_heads: tuple = (0, 2, 0, 2, 0, 2)  # one a layer: 0 for a short convolution
    context: int = 1024

    @property
    def head(self):
        return self.width // self.heads


class Attention(nn.Module):
    """Grouped-query attention with normalised queries and keys, rotated in NeoX order."""

    def __init__(self, shape, key_value_heads):
        super().__init__()
        self.heads, self.key_value_heads, self.head = shape.heads, key_value_heads, shape.head
        self.attn_q = nn.Linear(shape.width, shape.heads * shape.head, bias=False)
        self.attn_k = nn.Linear(shape.width, key_value_heads * shape.head, bias=False)
        self.attn_v = nn.Linear(shape.width, key_value_heads * shape.head, bias=False)
        self.attn_output = nn.Linear(shape.heads * shape.head, shape.width, bias=False)
        self.attn_q_norm = nn.RMSNorm(shape.head, EPSILON)
        self.attn_k_norm = nn.RMSNorm(shape.head, EPSILON)

    def forward(self, x, angles):
        rows, length, _ = x.shape
        q = self.attn_q(x).view(rows, length, self.heads, self.head)
        k = self.attn_k(x).view(rows, length, self.key_value_heads, self.head)
        v = self.attn_v(x).view(rows, length, self.key_value_heads, self.head).transpose(1, 2)
        q = rotate(self.attn_q_norm(q), angles).transpose(1, 2)
        k = rotate(self.attn_k_norm(k), angles).transpose(1, 2)
        group = self.heads // self.key_value_heads
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        y = attend(q.to(v.dtype), k.to(v.dtype), v)
        return self.attn_output(y.transpose(1, 2).reshape(rows, length, -1))


def attend(q, k, v):
    """Causal softmax attention, `[rows, heads, length, head]`. Written out: faster than torch's own on a CPU."""
    scores = (q @ k.transpose(-1, -2)).float() * q.shape[-1] ** -0.5
    later = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool, device=q.device).triu(1)
    return scores.masked_fill(later, -1e30).softmax(-1).to(v.dtype) @ v


class ShortConvolution(nn.Module):
    """`out · (c ⊙ conv(b ⊙ x))` over three positions, each channel by itself."""

    def __init__(self, shape):
        super().__init__()
        self.in_proj = nn.Linear(shape.width, 3 * shape.width, bias=False)
        self.conv = nn.Parameter(torch.randn(shape.width, TAPS) * 0.3 + torch.tensor([0.0, 0.3, 0.7]))
        self.out_proj = nn.Linear(shape.width, shape.width, bias=False)

    def forward(self, x, angles):
        b, c, x = self.in_proj(x).chunk(3, dim=-1)
        padded = functional.pad(b * x, (0, 0, TAPS - 1, 0))
        y = sum(padded[:, tap:tap + x.shape[1]] * self.conv[:, tap] for tap in range(TAPS))
        return self.out_proj((c * y).to(c.dtype))


class Layer(nn.Module):
    def __init__(self, shape, key_value_heads):
        super().__init__()
        self.attn_norm = nn.RMSNorm(shape.width, EPSILON)
        self.operator = Attention(shape, key_value_heads) if key_value_heads else ShortConvolution(shape)
        self.ffn_norm = nn.RMSNorm(shape.width, EPSILON)
        self.ffn_gate = nn.Linear(shape.width, shape.hidden, bias=False)
        self.ffn_up = nn.Linear(shape.width, shape.hidden, bias=False)
        self.ffn_down = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, x, angles):
        x = x + self.operator(self.attn_norm(x), angles)
        normed = self.ffn_norm(x)
        return x + self.ffn_down(functional.silu(self.ffn_gate(normed)) * self.ffn_up(normed))


class LFM2(nn.Module):
    """Token ids `[rows, length]` to logits `[rows, length, vocabulary]`. The output is tied to the embedding."""

    def __init__(self, shape=Shape()):
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.vocabulary, shape.width)
        self.blk = nn.ModuleList(Layer(shape, heads) for heads in shape.key_value_heads)
        self.token_embd_norm = nn.RMSNorm(shape.width, EPSILON)
        self.register_buffer("angles", rotary_angles(shape), persistent=False)
        self.initialize()

    def initialize(self):
        nn.init.normal_(self.token_embd.weight, std=self.shape.width ** -0.5)
        residuals = (2 * len(self.blk)) ** 0.5
        for name, module in self.named_modules():
            if isinstance(module, nn.Linear):
                deviation = module.in_features ** -0.5
                if name.endswith(("attn_output", "out_proj", "ffn_down")):
                    deviation /= residuals
                nn.init.normal_(module.weight, std=deviation)

    def forward(self, tokens):
        x = self.token_embd(tokens)
        angles = self.angles[:, :tokens.shape[1]]
        for layer in self.blk:
            x = layer(x, angles)
        return functional.linear(self.token_embd_norm(x), self.token_embd.weight)


def rotary_angles(shape):
    """Cosines and sines `[2, context, 1, head / 2]`."""
    frequencies = ROPE_BASE ** (-torch.arange(0, shape.head, 2).double() / shape.head)
    angles = torch.arange(shape.context).double()[:, None, None] * frequencies
    return torch.stack([angles.cos(), angles.sin()]).float()


def rotate(x, angles):
    """Turns the pairs (i, i + head / 2) of `[rows, length, heads, head]`."""
    cosine, sine = angles
    first, second = x.float().chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)


def gguf_names(model):
    """The GGUF tensor name of every parameter."""
    names = {}
    for name, _ in model.named_parameters():
        short = name.removesuffix(".weight").replace(".operator", "")
        for part in ("in_proj", "conv", "out_proj"):
            short = short.replace("." + part, ".shortconv." + part)
        names[name] = short + ".weight"
    return names
