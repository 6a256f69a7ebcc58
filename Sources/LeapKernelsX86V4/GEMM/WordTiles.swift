#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Weights in half precision and brain floats become tiles of 16-bit whole numbers, of whose products (`vpdpwssd`) this
// CPU does twice as many a cycle as of floats. Every 16 columns of a row, of weights as of activations, are rounded to
// multiples of a step of their own:
//
//     x ≈ step · n    step a power of two; 2¹² ≤ max |n| < 2¹³ of weights, 2¹³ ≤ max |n| ≤ 2¹⁴ of activations
//
// A half has 11 significant bits, so that numbers of weights stay below 8192, and the products of 16 columns fit 32 bits.
// A half within two binades of its group's largest is exact, a brain float within five.

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
    forEach32(of: operands.columns) { column, count in
        func words(_ index: Int) -> Bytes64 {
            let row = operands.source + min(index, operands.rows &- 1) &* operands.stride
            let numbers = load32(row + 4 &* column, count, elementBytes: 4, load)
            let steps = (step(numbers.low, bits: 14), step(numbers.high, bits: 14))
            let place = ActivationWordTile.steps &+ column / wordGroup &* ActivationTile.step &+ 4 &* index
            (operands.tile + place).storeBytes(of: steps.0, as: Float.self)
            (operands.tile + (place &+ ActivationTile.step)).storeBytes(of: steps.1, as: Float.self)
            return wholeNumbers(numbers, scales: (1 / steps.0, 1 / steps.1))
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
        let tile = operands.tile + 64 &* half
        forEach32(of: operands.columns) { column, count in
            func numbers(_ index: Int) -> LanesPair {
                let row = operands.source + min(16 &* half &+ index, operands.rows &- 1) &* operands.stride
                return load32(row + 2 &* column, count, elementBytes: 2, load)
            }
            var steps = LanesPair(Lanes(), Lanes())
            for index in 0..<16 {
                let numbers = numbers(index)
                (steps.low[index], steps.high[index]) = (step(numbers.low, bits: 13), step(numbers.high, bits: 13))
            }
            let place = tile + (WeightWordTile.steps &+ column / wordGroup &* weightVectors)
            store(unsafeBitCast(steps.low, to: Bytes64.self), to: place)
            store(unsafeBitCast(steps.high, to: Bytes64.self), to: place + weightVectors)
            let scales = LanesPair(1 / steps.low, 1 / steps.high)
            transpose {
                wholeNumbers(numbers($0), scales: (scales.low[$0], scales.high[$0]))
            } _: { pair, words in
                store(words, to: tile + (WeightWordTile.numbers &+ (column / 2 &+ pair) &* weightVectors))
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

/// 32 numbers: two groups.
private typealias LanesPair = (low: Lanes, high: Lanes)

/// The first 32 numbers at a place, or fewer.
@inline(__always)
private func load32(_ source: UnsafeRawPointer, _ count: Int?, elementBytes: Int, _ load: LoadFloats) -> LanesPair {
    (
        load(source, count.map { min($0, 16) }),
        load(source + 16 &* elementBytes, count.map { max($0 &- 16, 0) })
    )
}

/// What a group becomes multiples of.
@inline(__always)
private func step(_ group: Lanes, bits: Int32) -> Float {
    wordStep(largest: _mm512_reduce_max_epi32(magnitudes(group)), bits: bits)
}

/// The bits of numbers without their signs, which are in the order of the numbers.
@inline(__always)
private func magnitudes(_ lanes: Lanes) -> Bytes64 {
    unsafeBitCast(lanes, to: Bytes64.self) & Bytes64(repeating: 0x7FFF_FFFF_7FFF_FFFF)
}

/// 32 numbers of a row as multiples of their groups' steps, whose inverses are `scales`: columns 0 … 3, 16 … 19, 4 … 7,
/// 20 … 23 and so on.
@inline(__always)
private func wholeNumbers(_ numbers: LanesPair, scales: (low: Float, high: Float)) -> Bytes64 {
    let low = numbers.low * Lanes(repeating: scales.low)
    let high = numbers.high * Lanes(repeating: scales.high)
    return _mm512_packs_epi32(_mm512_cvtps_epi32(low), _mm512_cvtps_epi32(high))
}
#endif
