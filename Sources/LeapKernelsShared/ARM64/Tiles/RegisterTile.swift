#if arch(arm64)
import _Builtin_intrinsics.arm.neon

// Values for 8 weight rows by 6 activation rows, in 12 registers. The assignment of lanes to rows is up to the level:
// its `TileRegisters.swift` defines how products, factors and sums lie in such a tile, and every operation here is
// lane-wise.
//
// The types are spelled out because a debug build does not specialise generic functions, which would then query the
// runtime for tuple metadata.

/// Integers in 12 registers.
typealias IntegerTile = (Words, Words, Words, Words, Words, Words, Words, Words, Words, Words, Words, Words)

/// Floats in 12 registers.
typealias FloatTile = (Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes)

@inline(__always)
var integerZeros: IntegerTile {
    let zero = Words(repeating: 0)
    return (zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero)
}

@inline(__always)
var floatZeros: FloatTile {
    let zero = Lanes(repeating: 0)
    return (zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero)
}

/// Integers as floats.
@inline(__always)
func floats(_ a: IntegerTile) -> FloatTile {
    (
        vcvtq_f32_s32(a.0), vcvtq_f32_s32(a.1), vcvtq_f32_s32(a.2), vcvtq_f32_s32(a.3),
        vcvtq_f32_s32(a.4), vcvtq_f32_s32(a.5), vcvtq_f32_s32(a.6), vcvtq_f32_s32(a.7),
        vcvtq_f32_s32(a.8), vcvtq_f32_s32(a.9), vcvtq_f32_s32(a.10), vcvtq_f32_s32(a.11)
    )
}

/// Applies `body` to every register of a tile of integers.
@inline(__always)
func map(_ a: IntegerTile, _ body: (Words) -> Words) -> IntegerTile {
    (
        body(a.0), body(a.1), body(a.2), body(a.3), body(a.4), body(a.5),
        body(a.6), body(a.7), body(a.8), body(a.9), body(a.10), body(a.11)
    )
}

/// Applies `body` to the corresponding registers of three tiles of integers.
@inline(__always)
func map(_ a: IntegerTile, _ b: IntegerTile, _ c: IntegerTile, _ body: (Words, Words, Words) -> Words) -> IntegerTile {
    (
        body(a.0, b.0, c.0), body(a.1, b.1, c.1), body(a.2, b.2, c.2), body(a.3, b.3, c.3),
        body(a.4, b.4, c.4), body(a.5, b.5, c.5), body(a.6, b.6, c.6), body(a.7, b.7, c.7),
        body(a.8, b.8, c.8), body(a.9, b.9, c.9), body(a.10, b.10, c.10), body(a.11, b.11, c.11)
    )
}

/// Applies `body` to the corresponding registers of two tiles of floats.
@inline(__always)
func map(_ a: FloatTile, _ b: FloatTile, _ body: (Lanes, Lanes) -> Lanes) -> FloatTile {
    (
        body(a.0, b.0), body(a.1, b.1), body(a.2, b.2), body(a.3, b.3), body(a.4, b.4), body(a.5, b.5),
        body(a.6, b.6), body(a.7, b.7), body(a.8, b.8), body(a.9, b.9), body(a.10, b.10), body(a.11, b.11)
    )
}

/// Applies `body` to the corresponding registers of three tiles of floats.
@inline(__always)
func map(_ a: FloatTile, _ b: FloatTile, _ c: FloatTile, _ body: (Lanes, Lanes, Lanes) -> Lanes) -> FloatTile {
    (
        body(a.0, b.0, c.0), body(a.1, b.1, c.1), body(a.2, b.2, c.2), body(a.3, b.3, c.3),
        body(a.4, b.4, c.4), body(a.5, b.5, c.5), body(a.6, b.6, c.6), body(a.7, b.7, c.7),
        body(a.8, b.8, c.8), body(a.9, b.9, c.9), body(a.10, b.10, c.10), body(a.11, b.11, c.11)
    )
}

/// The same bits as integers.
@inline(__always)
func integers(bits a: FloatTile) -> IntegerTile { unsafeBitCast(a, to: IntegerTile.self) }
#endif
