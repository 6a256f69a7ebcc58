#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Weights in half precision and brain floats become tiles of 16-bit whole numbers, by the rule that stands in the file of
// this name of `x86-v4`. Of their products (`vpmaddwd`) this CPU does twice as many a cycle as of floats.
//
// The tiles are those of quants of 16 bits with a scale for every 16 columns.

/// Unpacks rows of half precision; see `UnpackKernel`.
let unpackTileF16: UnpackKernel = {
    unpackWords(($0, $1, $2, $3, $4)) { source, count in
        let source = source.assumingMemoryBound(to: UInt16.self)
        return count.map { loadHalves(source, first: $0) } ?? loadHalves(source)
    }
}

/// Unpacks rows of brain floats; see `UnpackKernel`.
let unpackTileBF16: UnpackKernel = {
    unpackWords(($0, $1, $2, $3, $4)) { source, count in
        let source = source.assumingMemoryBound(to: UInt16.self)
        return count.map { loadBrainFloats(source, first: $0) } ?? loadBrainFloats(source)
    }
}

/// Packs floats as whole numbers; see `PackKernel`.
let packWords: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let words = tile + (ActivationTile.words &+ row &* ActivationTile.wordStep)
        let steps = tile + (ActivationTile.scales &+ row &* ActivationTile.factorStep)
        round((source + row &* stride, columns, 4), to: words, bits: 14) { source, count in
            let source = source.assumingMemoryBound(to: Float.self)
            return count.map { load(source, first: $0) } ?? load(source)
        } _: { group, step in
            (steps + 4 &* group).storeBytes(of: step, as: Float.self)
        }
    }
}

@inline(__always)
private func unpackWords(_ operands: SlabOperands, _ load: LoadFloats) {
    forEachHalf(operands) { source, half, staging in
        for i in 0..<8 {
            let words = staging + ActivationTile.wordStep &* i
            round((source(i), operands.columns, 2), to: words, bits: 13, load) { group, step in
                let place = WeightTile.scales &+ group &* weightVectors &+ 4 &* i
                (half + place).storeBytes(of: step, as: Float.self)
            }
        }
        transposeWords(
            staging, stride: ActivationTile.wordStep, count: (operands.columns &+ 31) / 32 &* 16,
            to: half + WeightTile.quants)
    }
}

// MARK: - Rounding

/// Numbers of a row: where the first is, how many there are, and bytes of each.
private typealias Numbers = (start: UnsafeRawPointer, count: Int, bytes: Int)

/// The first `count` numbers at a place as floats, the other lanes zero; all 8 if `count` is nil.
private typealias LoadFloats = (_ source: UnsafeRawPointer, _ count: Int?) -> Lanes

/// Rounds numbers, and zeros up to a multiple of 32 of them, to multiples of a step for each group of 16.
///
/// Of 16 numbers, the words are of columns 0 … 3, 8 … 11, 4 … 7 and 12 … 15: weights and activations may have any order
/// as long as it is the same.
@inline(__always)
private func round(
    _ numbers: Numbers, to words: UnsafeMutableRawPointer, bits: Int32, _ load: LoadFloats,
    _ take: (_ group: Int, _ step: Float) -> Void
) {
    forEach16(numbers, load) { column, low, high in
        let largest = _mm256_max_epi32(magnitudes(low), magnitudes(high))
        let step = wordStep(largest: unsafeBitCast(largest, to: SIMD8<Int32>.self).max(), bits: bits)
        let scale = Lanes(repeating: 1 / step)
        let rounded = _mm256_packs_epi32(_mm256_cvtps_epi32(low * scale), _mm256_cvtps_epi32(high * scale))
        store(rounded, to: words + 2 &* column)
        take(column / 16, step)
    }
    // Two groups are multiplied together.
    if numbers.count & 31 != 0, numbers.count & 31 <= 16 {
        let group = (numbers.count &+ 15) / 16
        store(Bytes32(), to: words + 32 &* group)
        take(group, 0)
    }
}

/// Calls `body` for every 16 numbers, with zeros after the last.
@inline(__always)
private func forEach16(
    _ numbers: Numbers, _ load: LoadFloats, _ body: (_ column: Int, _ low: Lanes, _ high: Lanes) -> Void
) {
    let whole = numbers.count & ~15
    for column in stride(from: 0, to: whole, by: 16) {
        let source = numbers.start + numbers.bytes &* column
        body(column, load(source, nil), load(source + 8 &* numbers.bytes, nil))
    }
    if whole < numbers.count {
        let (source, rest) = (numbers.start + numbers.bytes &* whole, numbers.count &- whole)
        body(whole, load(source, min(rest, 8)), load(source + 8 &* numbers.bytes, max(rest &- 8, 0)))
    }
}

/// The bits of numbers without their signs, which are in the order of the numbers.
@inline(__always)
private func magnitudes(_ lanes: Lanes) -> Bytes32 {
    unsafeBitCast(lanes, to: Bytes32.self) & Bytes32(repeating: 0x7FFF_FFFF_7FFF_FFFF)
}
#endif
