"""Quantisation to Q4_K and Q6_K, which the `gguf` package cannot write. Formats: ggml's `block_q4_K`, `block_q6_K`.

A block holds 256 weights of one row. Q4_K: eight groups of 32 with `w ≈ d·scale·q − dmin·minimum`, q in 0…15, scale
and minimum in 0…63. Q6_K: sixteen groups of 16 with `w ≈ d·scale·q`, q in −32…31, scale in −128…127.
"""

import numpy as np

BLOCK = 256


def halves(values):
    """`[n]` numbers as `[n, 2]` bytes of half-precision floats."""
    return np.ascontiguousarray(values.astype("<f2")).view(np.uint8).reshape(-1, 2)


def q4_k(weights):
    """Bytes `[rows, bytes a row]` of `[rows, columns]` weights."""
    groups = weights.astype(np.float64).reshape(-1, 8, 32)
    scale, minimum = affine_fit(groups, 15)
    d, scale = shared_scale(scale, 63)
    dmin, minimum = shared_scale(minimum, 63)
    exact_scale, exact_minimum = d[:, None] * scale, dmin[:, None] * minimum
    divisor = np.where(exact_scale > 0, exact_scale, 1)
    quants = np.clip(np.rint((groups + exact_minimum[..., None]) / divisor[..., None]), 0, 15).astype(np.uint8)
    # Two groups share 32 bytes: the first in the low halves, the second in the high halves.
    packed = (quants[:, 0::2] | quants[:, 1::2] << 4).reshape(-1, 128)
    blocks = np.concatenate([halves(d), halves(dmin), six_bit_pairs(scale, minimum), packed], axis=1)
    return blocks.reshape(weights.shape[0], -1)


def affine_fit(groups, levels):
    """Scale and minimum of each group with the least squared error that alternating steps find.

    Several first guesses of the scale are refined: round to levels, then solve for scale and minimum by least squares.
    Large weights matter more, as they do in sums of products.
    """
    importance = 0.3 * np.sqrt(np.mean(groups ** 2, axis=-1, keepdims=True)) + np.abs(groups)
    low = np.minimum(groups.min(-1), 0)
    span = groups.max(-1).clip(0) - low
    best_error = np.full(groups.shape[:-1], np.inf)
    best_scale, best_minimum = np.zeros_like(low), -low
    for shrink in np.linspace(0.75, 1.1, 15):
        scale, minimum = span * shrink / levels, -low
        for _ in range(3):
            divisor = np.where(scale > 0, scale, 1)[..., None]
            quants = np.clip(np.rint((groups + minimum[..., None]) / divisor), 0, levels)
            scale, minimum = weighted_line(quants, groups, importance)
            error = (importance * (scale[..., None] * quants - minimum[..., None] - groups) ** 2).sum(-1)
            better = error < best_error
            best_error = np.where(better, error, best_error)
            best_scale, best_minimum = np.where(better, scale, best_scale), np.where(better, minimum, best_minimum)
    return best_scale, best_minimum


def weighted_line(x, y, weight):
    """Slope ≥ 0 and downward offset ≥ 0 of the line through the points, by weighted least squares."""
    total, sx, sy = weight.sum(-1), (weight * x).sum(-1), (weight * y).sum(-1)
    sxx, sxy = (weight * x * x).sum(-1), (weight * x * y).sum(-1)
    determinant = total * sxx - sx * sx
    flat = determinant <= 1e-30
    slope = np.where(flat, 0, (total * sxy - sx * sy) / np.where(flat, 1, determinant))
    offset = (sy - slope * sx) / np.where(total > 0, total, 1)
    # A positive offset cannot be stored: then the line goes through the origin.
    through_origin = np.where(sxx > 0, sxy / np.where(sxx > 0, sxx, 1), 0)
    slope = np.where(offset > 0, through_origin, slope)
    return np.maximum(slope, 0), np.maximum(-offset, 0)


def shared_scale(values, levels):
    """A block's half-precision scale, and its groups' values as multiples of that."""
    d = (values.max(-1) / levels).astype(np.float16).astype(np.float64)
    divisor = np.where(d > 0, d, 1)[:, None]
    return d, np.clip(np.rint(values / divisor), 0, levels).astype(np.uint8)


def six_bit_pairs(scale, minimum):
    """Eight scales and eight minima of six bits in twelve bytes."""
    first = scale[:, :4] | scale[:, 4:] >> 4 << 6
    second = minimum[:, :4] | minimum[:, 4:] >> 4 << 6
    third = scale[:, 4:] & 15 | (minimum[:, 4:] & 15) << 4
    return np.concatenate([first, second, third], axis=1).astype(np.uint8)


def q6_k(weights):
    """Bytes `[rows, bytes a row]` of `[rows, columns]` weights."""
    groups = weights.astype(np.float64).reshape(-1, 16, 16)
    scale = symmetric_fit(groups)
    d = (np.abs(scale).max(-1) / 127).astype(np.float16).astype(np.float64)
    divisor = np.where(d > 0, d, 1)[:, None]
    scale = np.clip(np.rint(scale / divisor), -128, 127)
    exact = d[:, None] * scale
    quants = np.clip(np.rint(groups / np.where(exact != 0, exact, 1)[..., None]), -32, 31) + 32
    return np.concatenate([six_bit_quants(quants.astype(np.uint8)), scale.astype(np.int8).view(np.uint8), halves(d)],
                          axis=1).reshape(weights.shape[0], -1)


def symmetric_fit(groups):
    """The scale of each group with the least squared error among a few."""
    extreme = np.take_along_axis(groups, np.abs(groups).argmax(-1)[..., None], -1)[..., 0]
    best_error, best_scale = np.full(extreme.shape, np.inf), np.zeros_like(extreme)
    for levels in np.arange(-33.0, -28.0, 0.5):  # the largest weight lies at −32, whose side is wider by one
        scale = extreme / levels
        quants = np.clip(np.rint(groups / np.where(scale != 0, scale, 1)[..., None]), -32, 31)
        square = (quants * quants).sum(-1)
        scale = np.where(square > 0, (quants * groups).sum(-1) / np.where(square > 0, square, 1), 0)
        error = ((scale[..., None] * quants - groups) ** 2).sum(-1)
        better = error < best_error
        best_error, best_scale = np.where(better, error, best_error), np.where(better, scale, best_scale)
    return best_scale


def six_bit_quants(quants):
    """128 bytes of low halves and 64 bytes of upper bit pairs, in the order of the format."""
    rows = quants.reshape(-1, 2, 4, 32)  # two halves of a block, four runs of 32 in each
    low, high = rows & 15, rows >> 4
    lows = np.concatenate([low[:, :, 0] | low[:, :, 2] << 4, low[:, :, 1] | low[:, :, 3] << 4], axis=-1)
    highs = high[:, :, 0] | high[:, :, 1] << 2 | high[:, :, 2] << 4 | high[:, :, 3] << 6
    return np.concatenate([lows.reshape(-1, 128), highs.reshape(-1, 64)], axis=1)
