#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Weights in half precision and brain floats become tiles of 16-bit whole numbers, of whose products (`vpdpwssd`) this
// CPU does twice as many a cycle as of floats. A slab's part of a row, of weights as of activations, is rounded to
// multiples of a power of two of its own:
//
//     x ≈ step · n        2¹² · step ≤ max |x| < 2¹³ · step
//
// Numbers of at most 11 significant bits stay below 8192, activations reach it at most, so that the products of 32
// columns fit 32 bits. A half within two binades of its row's largest is exact, a brain float within five. What is
// rounded loses half a step at most: 2⁻¹³ of the largest.

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

/// Packs floats as whole numbers; see `PackKernel`. The last row stands in for those beyond it.
let packWords: PackKernel = { source, stride, rows, columns, tile in
    packWords((source, stride, rows, columns, tile)) { source, count in
        let source = source.assumingMemoryBound(to: Float.self)
        return count.map { load(source, first: $0) } ?? load(source)
    }
}

@inline(__always)
private func packWords(_ operands: SlabOperands, _ load: LoadFloats) {
    func row(_ index: Int) -> UnsafeRawPointer { operands.source + min(index, operands.rows &- 1) &* operands.stride }
    var steps = SIMD8<Float>()
    for index in 0..<6 { steps[index] = step(row(index), operands.columns, elementBytes: 4, load) }
    (operands.tile + ActivationWordTile.steps).storeBytes(of: steps, as: SIMD8<Float>.self)
    let scales = 1 / steps
    forEach32(of: operands.columns) { column, count in
        func words(_ index: Int) -> Bytes64 {
            wholeNumbers(row(index) + 4 &* column, count, elementBytes: 4, scale: scales[index], load)
        }
        let place = operands.tile + (ActivationWordTile.numbers &+ column / 2 &* ActivationTile.step)
        interleave((words(0), words(1), words(2), words(3), words(4), words(5)), count: 16) { index, mixed in
            store(mixed, to: place + 64 &* index)
        }
    }
}

/// Unpacks 16 rows by 32 columns at a time; the last row stands in for those beyond it.
@inline(__always)
private func unpackWords(_ operands: SlabOperands, _ load: LoadFloats) {
    for half in 0..<2 {
        func row(_ index: Int) -> UnsafeRawPointer {
            operands.source + min(16 &* half &+ index, operands.rows &- 1) &* operands.stride
        }
        var steps = Lanes()
        for index in 0..<16 { steps[index] = step(row(index), operands.columns, elementBytes: 2, load) }
        let place = operands.tile + 64 &* half
        store(unsafeBitCast(steps, to: Bytes64.self), to: place + WeightWordTile.steps)
        let scales = 1 / steps
        forEach32(of: operands.columns) { column, count in
            transpose {
                wholeNumbers(row($0) + 2 &* column, count, elementBytes: 2, scale: scales[$0], load)
            } _: { pair, words in
                store(words, to: place + (WeightWordTile.numbers &+ (column / 2 &+ pair) &* weightVectors))
            }
        }
    }
}

// MARK: - Rounding

/// The first `count` numbers at a place as floats, the other lanes zero; all 16 if `count` is nil.
private typealias LoadFloats = (_ source: UnsafeRawPointer, _ count: Int?) -> Lanes

/// Calls `body` for every 32 columns, with how many there are in the last if they are fewer.
@inline(__always)
private func forEach32(of columns: Int, _ body: (_ column: Int, _ count: Int?) -> Void) {
    let whole = columns & ~31
    for column in stride(from: 0, to: whole, by: 32) { body(column, nil) }
    if whole < columns { body(whole, columns &- whole) }
}

/// Two vectors, the first 32 numbers at a place, or fewer.
@inline(__always)
private func load32(
    _ source: UnsafeRawPointer, _ count: Int?, elementBytes: Int, _ load: LoadFloats
) -> (low: Lanes, high: Lanes) {
    (
        load(source, count.map { min($0, 16) }),
        load(source + 16 &* elementBytes, count.map { max($0 &- 16, 0) })
    )
}

/// What the numbers of a row become multiples of; not a number if one of them is none, or infinite.
@inline(__always)
private func step(_ row: UnsafeRawPointer, _ columns: Int, elementBytes: Int, _ load: LoadFloats) -> Float {
    var largest = Bytes64(repeating: 0)
    forEach32(of: columns) { column, count in
        let numbers = load32(row + elementBytes &* column, count, elementBytes: elementBytes, load)
        largest = _mm512_max_epi32(largest, magnitudes(numbers.low))
        largest = _mm512_max_epi32(largest, magnitudes(numbers.high))
    }
    let exponent = _mm512_reduce_max_epi32(largest) >> 23
    guard exponent < 0xFF else { return .nan }
    // The smallest step is the smallest normal number, whose inverse is finite.
    return Float(bitPattern: UInt32(truncatingIfNeeded: max(exponent &- 12, 1)) &<< 23)
}

/// The bits of numbers without their signs, which are in the order of the numbers.
@inline(__always)
private func magnitudes(_ lanes: Lanes) -> Bytes64 {
    unsafeBitCast(lanes, to: Bytes64.self) & Bytes64(repeating: 0x7FFF_FFFF_7FFF_FFFF)
}

/// 32 numbers of a row as multiples of its step, whose inverse is `scale`: columns 0 … 3, 16 … 19, 4 … 7, 20 … 23 and so
/// on. Any order does, as long as weights and activations have the same.
@inline(__always)
private func wholeNumbers(
    _ source: UnsafeRawPointer, _ count: Int?, elementBytes: Int, scale: Float, _ load: LoadFloats
) -> Bytes64 {
    let numbers = load32(source, count, elementBytes: elementBytes, load)
    let scale = Lanes(repeating: scale)
    return _mm512_packs_epi32(_mm512_cvtps_epi32(numbers.low * scale), _mm512_cvtps_epi32(numbers.high * scale))
}
#endif
