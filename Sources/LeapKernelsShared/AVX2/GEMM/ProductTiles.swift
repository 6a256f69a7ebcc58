#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Shared by the tile multiplications whose 16 weight rows by 6 activation rows fit in the registers.

/// Multiplies tiles of blocks, or groups, with signed quants of 16 bits.
///
/// - Parameters:
///   - groupSize: 16 or 32 columns.
///   - isSuperBlock: Whether the activations have one scale for all groups, as `Q8_K` does.
@inline(__always)
func multiplyWordTile(_ operands: TileOperands, groupSize: Int, isSuperBlock: Bool) {
    let pairs = groupSize / 2
    for group in 0..<(operands.columns &+ 31) / 32 &* (32 / groupSize) {
        forEachWordProduct(
            operands.weights + (WeightTile.quants &+ pairs &* group &* weightVectors),
            operands.activations + (ActivationTile.words &+ pairs &* group &* ActivationTile.step), steps: pairs
        ) { product, row in
            addBlock(operands, group, product, row: row, isSuperBlock: isSuperBlock, hasMinima: false)
        }
    }
}

/// Adds the products of a block with an activation row, times their scales, and the block's minima.
@inline(__always)
func addBlock(
    _ operands: TileOperands, _ block: Int, _ product: IntegerPair, row: Int, isSuperBlock: Bool = false,
    hasMinima: Bool
) {
    let scales = pairOfLanes(operands.weights + (WeightTile.scales &+ block &* weightVectors))
    let scale = isSuperBlock ? ActivationTile.Q8_K.scale : ActivationTile.scales &+ block &* ActivationTile.step
    let sums = sumsInMemory(operands, block)
    sums.add(
        (floats(product.a) * scales.a, floats(product.b) * scales.b),
        times: number(operands.activations, scale, row), row: row)
    if hasMinima {
        let minima = pairOfLanes(operands.weights + (WeightTile.minima &+ block &* weightVectors))
        let s = number(operands.activations, ActivationTile.sums &+ block &* ActivationTile.step, row)
        sums.add(minima, times: s, row: row)
    }
}

/// The sums' address, hidden from the optimiser: if it knew that all blocks use the same address, it would load the
/// sums before the first block and, short of registers, spill them twice per block.
@inline(__always)
private func sumsInMemory(_ operands: TileOperands, _ block: Int) -> UnsafeMutablePointer<Float> {
    // The offset is always zero, since the number of columns never reaches 2⁶², but the compiler does not know that.
    operands.sums + block &* (operands.columns &>> 62)
}

// MARK: - Products

/// For each activation row, calls `body` with the sums over `count` byte columns, in the lanes of the level's multiply
/// instruction, accumulated onto what `start` returns for the row.
@inline(__always)
func forEachByteProduct(
    _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, column: Int, count: Int, start: (_ row: Int) -> Bytes32,
    _ body: (_ product: IntegerPair, _ row: Int) -> Void
) {
    forEachProduct(
        weights + (WeightTile.quants &+ column / 4 &* weightVectors),
        x + (ActivationTile.bytes &+ column / 4 &* ActivationTile.step), steps: count / 4, start: start,
        add: addByteProducts, body)
}

/// For each activation row, calls `body` with the 32-bit sums of 16-bit products over `steps` pairs of columns.
@inline(__always)
func forEachWordProduct(
    _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, steps: Int,
    _ body: (_ product: IntegerPair, _ row: Int) -> Void
) {
    forEachProduct(weights, x, steps: steps, start: { _ in Bytes32() }, add: addWordProducts, body)
}

/// For each activation row, calls `body` with the sums over `steps` 32-bit lanes.
@inline(__always)
func forEachProduct(
    _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, steps: Int, start: (_ row: Int) -> Bytes32,
    add: (_ sum: Bytes32, _ weights: Bytes32, _ x: Bytes32) -> Bytes32,
    _ body: (_ product: IntegerPair, _ row: Int) -> Void
) {
    // The first step is peeled off, so that sums starting at zero need no addition.
    let first = pair(weights)
    var sums = IntegerTile { row in
        let (start, x) = (start(row), lane(x + 4 &* row))
        return (add(start, first.a, x), add(start, first.b, x))
    }
    for step in 1..<steps {
        let w = pair(weights + step &* weightVectors)
        let x = x + step &* ActivationTile.step
        sums.update { sum, row in
            let x = lane(x + 4 &* row)
            sum = (add(sum.a, w.a, x), add(sum.b, w.b, x))
        }
    }
    sums.forEach(body)
}

// MARK: - Memory

/// Broadcasts 32 bits to all lanes.
@inline(__always)
func lane(_ source: UnsafeRawPointer) -> Bytes32 { _mm256_set1_epi32(source.loadUnaligned(as: Int32.self)) }

/// Broadcasts one of a row's factors to all lanes.
@inline(__always)
func factor(_ factors: UnsafeRawPointer, _ index: Int, row: Int) -> Bytes32 {
    lane(factors + (index &* ActivationTile.step &+ 4 &* row))
}

/// Broadcasts a row's number to all lanes.
@inline(__always)
func number(_ x: UnsafeRawPointer, _ offset: Int, _ row: Int) -> Lanes {
    Lanes(repeating: x.loadUnaligned(fromByteOffset: offset &+ 4 &* row, as: Float.self))
}

@inline(__always)
func pair(_ source: UnsafeRawPointer) -> IntegerPair { (bytes32(source), bytes32(source + 32)) }

/// One float for each of 16 weight rows.
typealias LanesPair = (a: Lanes, b: Lanes)

@inline(__always)
func pairOfLanes(_ source: UnsafeRawPointer) -> LanesPair {
    (source.loadUnaligned(as: Lanes.self), (source + 32).loadUnaligned(as: Lanes.self))
}

extension UnsafeMutablePointer<Float> {
    /// Adds a pair times a number to a row of 16 sums.
    @inline(__always)
    func add(_ pair: LanesPair, times factor: Lanes, row: Int) {
        let place = self + 16 &* row
        store(multiplyAdd(pair.a, factor, load(place)), to: place)
        store(multiplyAdd(pair.b, factor, load(place + 8)), to: place + 8)
    }
}

// MARK: - Registers

/// Integers for 16 weight rows.
typealias IntegerPair = (a: Bytes32, b: Bytes32)

/// Integers for 16 weight rows by 6 activation rows, in 12 registers.
private struct IntegerTile {
    var row0, row1, row2, row3, row4, row5: IntegerPair

    @inline(__always)
    init(_ pair: (_ row: Int) -> IntegerPair) {
        (row0, row1, row2) = (pair(0), pair(1), pair(2))
        (row3, row4, row5) = (pair(3), pair(4), pair(5))
    }

    @inline(__always)
    mutating func update(_ body: (_ pair: inout IntegerPair, _ row: Int) -> Void) {
        body(&row0, 0)
        body(&row1, 1)
        body(&row2, 2)
        body(&row3, 3)
        body(&row4, 4)
        body(&row5, 5)
    }

    @inline(__always)
    func forEach(_ body: (_ pair: IntegerPair, _ row: Int) -> Void) {
        body(row0, 0)
        body(row1, 1)
        body(row2, 2)
        body(row3, 3)
        body(row4, 4)
        body(row5, 5)
    }
}
#endif
