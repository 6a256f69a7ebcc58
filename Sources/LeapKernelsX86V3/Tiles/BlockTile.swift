// Formats of 32-element blocks meet `Q8_0` or `Q8_1` activations four blocks at a time, four rows at a time: what is
// read and prepared of an activation row serves four weight rows.

/// A format of 32-element blocks. A level says what four blocks are in registers: `WeightQuartet`, `ActivationQuartet`.
protocol BlockFormat {
    /// Bytes from one block to the next, of weights and of activations.
    static var byteCount: Int { get }
    static var activationByteCount: Int { get }

    /// Unpacks four blocks of weights.
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet

    /// Prepares four blocks of activations.
    static func prepare(_ blocks: BlockQuartet) -> ActivationQuartet

    /// Adds the dot product of four blocks, spread over the lanes, to `sum`.
    static func accumulate(_ weights: WeightQuartet, _ activations: ActivationQuartet, _ sum: Lanes) -> Lanes
}

/// Four consecutive blocks of a row, of which the first `count` exist.
typealias BlockQuartet = (first: UnsafeRawPointer, byteCount: Int, count: Int)

/// The first byte of a block; the last one that exists stands in for those that do not.
@inline(__always)
func block(_ index: Int, of blocks: BlockQuartet) -> UnsafeRawPointer {
    blocks.first + min(index, blocks.count &- 1) &* blocks.byteCount
}

/// The half-precision numbers at an offset in each block; 0 for blocks that do not exist.
@inline(__always)
func halves(_ offset: Int, of blocks: BlockQuartet) -> SIMD4<Float> {
    let bits = SIMD4(
        (block(0, of: blocks) + offset).loadUnaligned(as: UInt16.self),
        (block(1, of: blocks) + offset).loadUnaligned(as: UInt16.self),
        (block(2, of: blocks) + offset).loadUnaligned(as: UInt16.self),
        (block(3, of: blocks) + offset).loadUnaligned(as: UInt16.self))
    return existing(floats(halves: bits), of: blocks)
}

/// The lanes of blocks that exist, 0 in the others: a factor of zero makes a block that stands in count for nothing.
@inline(__always)
func existing(_ lanes: SIMD4<Float>, of blocks: BlockQuartet) -> SIMD4<Float> {
    var lanes = lanes
    for i in blocks.count..<4 { lanes[i] = 0 }
    return lanes
}

// MARK: - Rows and columns

/// Dot products of rows of 32-element blocks; see `DotKernel`.
///
/// The four rows of a pass are a quarter of all rows apart, so that from one pass to the next each goes on where it
/// ended: a few long runs through memory are what a processor's prefetching likes.
@inline(__always)
func dotBlocks<Format: BlockFormat>(_: Format.Type, _ operands: DotOperands) {
    let step = (operands.rows &+ 3) / 4
    for row in 0..<step {
        let walk = BlockWalk<Format>(operands, row, step: step)
        if operands.columns == 1 {
            walk.dot()
        } else {
            for column in stride(from: 0, to: operands.columns, by: 8) {
                walk.dot(column..<min(column &+ 8, operands.columns))
            }
        }
    }
}

/// Four rows `step` rows apart; the last row stands in for those beyond it.
private struct BlockWalk<Format: BlockFormat> {
    let operands: DotOperands
    let row, step: Int
    let a, b, c, d: UnsafeRawPointer

    @inline(__always)
    init(_ operands: DotOperands, _ row: Int, step: Int) {
        let last = operands.rows &- 1
        self.operands = operands
        self.row = row
        self.step = step
        a = operands.weights + row &* operands.weightStride
        b = operands.weights + min(row &+ step, last) &* operands.weightStride
        c = operands.weights + min(row &+ 2 &* step, last) &* operands.weightStride
        d = operands.weights + min(row &+ 3 &* step, last) &* operands.weightStride
    }

    /// One column, whose four sums stay in registers.
    @inline(__always)
    func dot() {
        var sums = RowSums()
        forEachQuartet { block, count in
            let x = activations(0, block, count)
            sums.a = Format.accumulate(unpack(a, block, count), x, sums.a)
            sums.b = Format.accumulate(unpack(b, block, count), x, sums.b)
            sums.c = Format.accumulate(unpack(c, block, count), x, sums.c)
            sums.d = Format.accumulate(unpack(d, block, count), x, sums.d)
        }
        store(sums, column: 0)
    }

    /// Up to 8 columns, whose sums stay in memory: the weights are unpacked once for all of them.
    @inline(__always)
    func dot(_ columns: Range<Int>) {
        var sums = TileSums()
        withUnsafeMutablePointer(to: &sums) { sums in
            let sums = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: RowSums.self)
            forEachQuartet { block, count in
                let a = unpack(a, block, count)
                let b = unpack(b, block, count)
                let c = unpack(c, block, count)
                let d = unpack(d, block, count)
                for i in 0..<columns.count {
                    let x = activations(columns.lowerBound &+ i, block, count)
                    sums[i].a = Format.accumulate(a, x, sums[i].a)
                    sums[i].b = Format.accumulate(b, x, sums[i].b)
                    sums[i].c = Format.accumulate(c, x, sums[i].c)
                    sums[i].d = Format.accumulate(d, x, sums[i].d)
                }
            }
            for i in 0..<columns.count { store(sums[i], column: columns.lowerBound &+ i) }
        }
    }

    /// Calls `body` with the first of every four blocks and with the number of those that exist.
    @inline(__always)
    private func forEachQuartet(_ body: (_ block: Int, _ count: Int) -> Void) {
        let whole = operands.blocks & ~3
        for block in stride(from: 0, to: whole, by: 4) { body(block, 4) }
        if whole < operands.blocks { body(whole, operands.blocks &- whole) }
    }

    @inline(__always)
    private func unpack(_ row: UnsafeRawPointer, _ block: Int, _ count: Int) -> WeightQuartet {
        Format.unpack((row + block &* Format.byteCount, Format.byteCount, count))
    }

    @inline(__always)
    private func activations(_ column: Int, _ block: Int, _ count: Int) -> ActivationQuartet {
        let row = operands.activations + column &* operands.activationStride
        return Format.prepare((row + block &* Format.activationByteCount, Format.activationByteCount, count))
    }

    @inline(__always)
    private func store(_ sums: RowSums, column: Int) {
        let output = operands.output + (column &* operands.outputStride &+ row)
        let totals = horizontalSums(sums.a, sums.b, sums.c, sums.d)
        for i in 0..<4 where row &+ i &* step < operands.rows { output[i &* step] = totals[i] }
    }
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
