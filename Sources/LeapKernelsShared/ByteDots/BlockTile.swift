#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
// Weights in 32-element block formats are multiplied with `Q8_0` or `Q8_1` activations four blocks and four rows at a
// time: activations are loaded and prepared once for four weight rows.

/// Four consecutive blocks of a row, of which the first `count` exist.
typealias BlockQuartet = (first: UnsafeRawPointer, byteCount: Int, count: Int)

/// The first byte of a block; the last existing block stands in for those beyond it.
@inline(__always)
func block(_ index: Int, of blocks: BlockQuartet) -> UnsafeRawPointer {
    // min(index, last) without a branch.
    let last = blocks.count &- 1
    return blocks.first + (index &+ ((last &- index) & (last &- index) &>> 63)) &* blocks.byteCount
}

/// Clears the lanes of blocks that do not exist: with a factor of zero, a stand-in block contributes nothing.
@inline(__always)
func existing(_ lanes: SIMD4<Float>, of blocks: BlockQuartet) -> SIMD4<Float> {
    var lanes = lanes
    for i in blocks.count..<4 { lanes[i] = 0 }
    return lanes
}

// MARK: - Rows and columns

/// Dot products of rows of 32-element blocks; see `DotKernel`. A level defines how it holds four blocks in registers.
///
/// - Parameters:
///   - byteCount: Bytes from one block of weights to the next.
///   - activationByteCount: Bytes from one block of activations to the next.
///   - unpack: Reads four blocks of weights into registers.
///   - prepare: Reads four blocks of activations into registers.
///   - accumulate: Adds the dot products of four blocks, spread over the lanes, to an accumulator.
@inline(__always)
func dotBlocks<Weights, Activations>(
    _ operands: DotOperands, byteCount: Int, activationByteCount: Int,
    unpack: (_ blocks: BlockQuartet) -> Weights, prepare: (_ blocks: BlockQuartet) -> Activations,
    accumulate: (_ weights: Weights, _ activations: Activations, _ sum: Lanes) -> Lanes
) {
    func weights(_ row: UnsafeRawPointer, _ block: Int, _ count: Int) -> Weights {
        prefetchAhead(of: row + block &* byteCount, 4 &* byteCount)
        return unpack((row + block &* byteCount, byteCount, count))
    }
    func activations(_ column: Int, _ block: Int, _ count: Int) -> Activations {
        let row = operands.activations + column &* operands.activationStride
        return prepare((row + block &* activationByteCount, activationByteCount, count))
    }
    if operands.columns == 1 {
        forEachRowQuartet(operands) { rows in
            dot(rows, operands, weights: weights, activations: activations, accumulate: accumulate)
        }
        return
    }
    forEachRowQuartet(operands) { rows in
        for column in stride(from: 0, to: operands.columns, by: 8) {
            let columns = column..<min(column &+ 8, operands.columns)
            dot(rows, columns, operands, weights: weights, activations: activations, accumulate: accumulate)
        }
    }
}

/// Four rows, `step` rows apart from `first`; the last row stands in for rows beyond it.
typealias RowQuartet = (
    first: Int, step: Int, a: UnsafeRawPointer, b: UnsafeRawPointer, c: UnsafeRawPointer, d: UnsafeRawPointer
)

/// Calls `body` with four rows at a time.
///
/// They are a quarter of all rows apart, so that each of the four streams continues where it ended in the previous
/// pass: hardware prefetchers work best on a few long sequential streams.
@inline(__always)
func forEachRowQuartet(_ operands: DotOperands, _ body: (RowQuartet) -> Void) {
    let step = (operands.rows &+ 3) / 4
    let last = operands.rows &- 1
    func row(_ index: Int) -> UnsafeRawPointer { operands.weights + min(index, last) &* operands.weightStride }
    for first in 0..<step {
        body((first, step, row(first), row(first &+ step), row(first &+ 2 &* step), row(first &+ 3 &* step)))
    }
}

/// Calls `body` with the first of every four blocks and the number of them that exist.
@inline(__always)
private func forEachBlockQuartet(_ blocks: Int, _ body: (_ block: Int, _ count: Int) -> Void) {
    let whole = blocks & ~3
    for block in stride(from: 0, to: whole, by: 4) { body(block, 4) }
    if whole < blocks { body(whole, blocks &- whole) }
}

/// Four rows by a single column; the sums stay in registers.
@inline(__always)
private func dot<Weights, Activations>(
    _ rows: RowQuartet, _ operands: DotOperands,
    weights: (_ row: UnsafeRawPointer, _ block: Int, _ count: Int) -> Weights,
    activations: (_ column: Int, _ block: Int, _ count: Int) -> Activations,
    accumulate: (Weights, Activations, Lanes) -> Lanes
) {
    var sums = RowSums()
    forEachBlockQuartet(operands.blocks) { block, count in
        let x = activations(0, block, count)
        sums.a = accumulate(weights(rows.a, block, count), x, sums.a)
        sums.b = accumulate(weights(rows.b, block, count), x, sums.b)
        sums.c = accumulate(weights(rows.c, block, count), x, sums.c)
        sums.d = accumulate(weights(rows.d, block, count), x, sums.d)
    }
    store(sums, rows, column: 0, operands)
}

/// Four rows by up to 8 columns, whose sums stay in memory: the weights are unpacked once for all columns.
@inline(__always)
private func dot<Weights, Activations>(
    _ rows: RowQuartet, _ columns: Range<Int>, _ operands: DotOperands,
    weights: (_ row: UnsafeRawPointer, _ block: Int, _ count: Int) -> Weights,
    activations: (_ column: Int, _ block: Int, _ count: Int) -> Activations,
    accumulate: (Weights, Activations, Lanes) -> Lanes
) {
    var sums = TileSums()
    withUnsafeMutablePointer(to: &sums) { sums in
        let sums = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: RowSums.self)
        forEachBlockQuartet(operands.blocks) { block, count in
            let a = weights(rows.a, block, count)
            let b = weights(rows.b, block, count)
            let c = weights(rows.c, block, count)
            let d = weights(rows.d, block, count)
            for i in 0..<columns.count {
                let x = activations(columns.lowerBound &+ i, block, count)
                sums[i].a = accumulate(a, x, sums[i].a)
                sums[i].b = accumulate(b, x, sums[i].b)
                sums[i].c = accumulate(c, x, sums[i].c)
                sums[i].d = accumulate(d, x, sums[i].d)
            }
        }
        for i in 0..<columns.count { store(sums[i], rows, column: columns.lowerBound &+ i, operands) }
    }
}

@inline(__always)
private func store(_ sums: RowSums, _ rows: RowQuartet, column: Int, _ operands: DotOperands) {
    store(horizontalSums(sums.a, sums.b, sums.c, sums.d), rows, column: column, operands)
}

/// Writes the totals of four rows with one column.
@inline(__always)
func store(_ totals: SIMD4<Float>, _ rows: RowQuartet, column: Int, _ operands: DotOperands) {
    let output = operands.output + (column &* operands.outputStride &+ rows.first)
    for i in 0..<4 where rows.first &+ i &* rows.step < operands.rows { output[i &* rows.step] = totals[i] }
}

/// The sums of four rows with one column.
private struct RowSums {
    var a = Lanes(repeating: 0), b = Lanes(repeating: 0), c = Lanes(repeating: 0), d = Lanes(repeating: 0)
}

/// The sums of four rows with up to 8 columns.
private struct TileSums {
    var a = RowSums(), b = RowSums(), c = RowSums(), d = RowSums()
    var e = RowSums(), f = RowSums(), g = RowSums(), h = RowSums()
}
#endif
