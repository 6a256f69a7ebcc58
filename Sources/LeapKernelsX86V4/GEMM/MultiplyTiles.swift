#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// The innermost loops of the engine: 32 weight rows by 6 activation rows over one slab. The products of a group are
// exact integers. Where scales are integers too, those of a block are added up with them, two groups at a time; otherwise
// they are converted to floats once per group and multiplied by the group's scale.
//
// Each loop is compiled twice, for all 6 activation rows and for the first 4: prompts end with a tile of few rows, and those
// of experts are short.

/// Calls `body` with a number of rows that the compiler knows: 4 if no more are needed, otherwise 6.
@inline(__always)
private func withKnownRows(_ operands: TileOperands, _ body: (_ operands: TileOperands) -> Void) {
    var operands = operands
    if operands.rows > 4 {
        operands.rows = 6
        body(operands)
    } else {
        operands.rows = 4
        body(operands)
    }
}

/// Multiplies tiles of 256-element blocks, whose activations have one scale per slab:
///
///     sums += x.d · (Σ_g scale[g] · Σ q · x.q + scale · Σ_g minimum[g] · Σ x.q)
///
/// - Parameters:
///   - groupSize: 16 or 32 columns.
///   - hasMinima: Whether the format has them.
@inline(__always)
func multiplySuperBlockTile(_ operands: TileOperands, groupSize: Int, hasMinima: Bool) {
    multiplySuperBlockTile(operands, groupSize: groupSize, minima: hasMinima ? 256 / groupSize : 0)
}

/// Multiplies tiles of 256-element blocks whose quants were multiplied by their groups' scales: a single group.
///
/// - Parameter minima: The number of groups with minima.
@inline(__always)
func multiplyScaledTile(_ operands: TileOperands, minima: Int) {
    multiplySuperBlockTile(operands, groupSize: 256, minima: minima)
}

@inline(__always)
private func multiplySuperBlockTile(_ operands: TileOperands, groupSize: Int, minima groups: Int) {
    withKnownRows(operands) { operands in
        let weights = operands.weights
        var x = operands.activations
        var quants = weights + WeightTile.quants
        var factors = weights + WeightTile.starts
        var sums = SumTile(rows: operands.rows)
        for _ in 0..<operands.columns / groupSize {
            let products = groupProducts(
                rows: operands.rows, starts: factors, quants, x, quads: groupSize / 4)
            sums.add(products, times: factors + (WeightTile.scales &- WeightTile.starts))
            quants += groupSize / 4 &* weightVectors
            x += groupSize / 4 &* ActivationTile.step
            factors += weightVectors
        }
        if groups > 0 { sums.addMinima(operands, groups: groups) }
        let scales = operands.activations + ActivationTile.scales
        sums.addScaled(to: operands.sums) { number(scales, $0) }
    }
}

/// Multiplies tiles of 256-element blocks with integer scales, whose activations have one scale per slab:
///
///     sums += x.d · (d · Σ_g scale[g] · Σ q · x.q + dmin · Σ_g minimum[g] · Σ x.q)
///
/// The sums over the groups are exact integers. Where the products of every group fit 16 bits, those of two groups share a
/// lane, and one instruction multiplies both by their scales.
///
/// - Parameters:
///   - groupSize: 16 or 32 columns.
///   - hasMinima: Whether the format has them.
///   - largest: The largest bound of ``ActivationTile`` with which the products of a group fit 16 bits.
@inline(__always)
func multiplyPairedTile(_ operands: TileOperands, groupSize: Int, hasMinima: Bool, largest: Int32) {
    withKnownRows(operands) { operands in
        let bound = operands.activations + (groupSize == 16 ? ActivationTile.halfBound : ActivationTile.bound)
        let quads = groupSize / 4
        let products =
            bound.loadUnaligned(as: Int32.self) <= largest
            ? pairedProducts(operands, quads: quads) : wideProducts(operands, quads: quads)
        var sums = SumTile(rows: operands.rows)
        sums.add(products, times: operands.weights + (WeightTile.scales &+ 128 / groupSize &* weightVectors))
        if hasMinima { sums.addMinima(operands, groups: 256 / groupSize) }
        let scales = operands.activations + ActivationTile.scales
        sums.addScaled(to: operands.sums) { number(scales, $0) }
    }
}

/// `Σ_g scale[g] · Σ q · x.q`, where the products of every group fit 16 bits.
@inline(__always)
private func pairedProducts(_ operands: TileOperands, quads: Int) -> ProductTile {
    let half = splat32(0x8000, 0x8000)
    var sums = ProductTile(rows: operands.rows, Bytes64(), Bytes64())
    forEachPair(operands, quads: quads) { pair in
        var products = ProductTile(rows: operands.rows, bytes64(pair.starts), bytes64(pair.starts + 64))
        products.add(pair.quants, pair.x, quads: quads)
        // The first group's products move to the upper halves of the lanes. Those of the second, which starts 2¹⁵ higher
        // and so is not negative, are added in the lower halves.
        let (a, b) = (bytes64(pair.starts + weightVectors), bytes64(pair.starts + (weightVectors &+ 64)))
        products.update { product, _ in
            product.a = _mm512_add_epi32(_mm512_slli_epi32(product.a, 16), a)
            product.b = _mm512_add_epi32(_mm512_slli_epi32(product.b, 16), b)
        }
        products.add(pair.quants + quads &* weightVectors, pair.x + quads &* ActivationTile.step, quads: quads)
        let scales = (a: bytes64(pair.scales), b: bytes64(pair.scales + 64))
        sums.update(products) { sum, product in
            sum.a = _mm512_dpwssd_epi32(sum.a, product.a ^ half, scales.a)
            sum.b = _mm512_dpwssd_epi32(sum.b, product.b ^ half, scales.b)
        }
    }
    return sums
}

/// ``pairedProducts(_:quads:)`` for products of any size: each group's are multiplied as 32 bits.
@inline(__always)
private func wideProducts(_ operands: TileOperands, quads: Int) -> ProductTile {
    var sums = ProductTile(rows: operands.rows, Bytes64(), Bytes64())
    forEachPair(operands, quads: quads) { pair in
        for group in 0..<2 {
            let starts = pair.starts + group &* weightVectors
            let half = Bytes64(repeating: Int64(group) &* 0x8000_0000_8000)
            var products = ProductTile(
                rows: operands.rows, _mm512_sub_epi32(bytes64(starts), half),
                _mm512_sub_epi32(bytes64(starts + 64), half))
            products.add(
                pair.quants + group &* quads &* weightVectors, pair.x + group &* quads &* ActivationTile.step,
                quads: quads)
            // The first group's scale is in the upper half.
            let shift = UInt32(truncatingIfNeeded: 16 &* group)
            let a = _mm512_srai_epi32(_mm512_slli_epi32(bytes64(pair.scales), shift), 16)
            let b = _mm512_srai_epi32(_mm512_slli_epi32(bytes64(pair.scales + 64), shift), 16)
            sums.update(products) { sum, product in
                sum.a = _mm512_add_epi32(sum.a, _mm512_mullo_epi32(product.a, a))
                sum.b = _mm512_add_epi32(sum.b, _mm512_mullo_epi32(product.b, b))
            }
        }
    }
    return sums
}

/// Two groups of a slab: their quants and starts, the scales of both, and the activations.
private typealias GroupPair = (
    quants: UnsafeRawPointer, starts: UnsafeRawPointer, scales: UnsafeRawPointer, x: UnsafeRawPointer
)

/// Calls `body` with every two groups of a slab of 256 columns.
@inline(__always)
private func forEachPair(_ operands: TileOperands, quads: Int, _ body: (_ pair: GroupPair) -> Void) {
    let weights = operands.weights
    var pair = (
        quants: weights + WeightTile.quants, starts: weights + WeightTile.starts, scales: weights + WeightTile.scales,
        x: operands.activations
    )
    for _ in 0..<32 / quads {
        body(pair)
        pair.quants += 2 &* quads &* weightVectors
        pair.starts += 2 &* weightVectors
        pair.scales += weightVectors
        pair.x += 2 &* quads &* ActivationTile.step
    }
}

/// Multiplies tiles of 32-element blocks, whose activations have one scale per block:
///
///     sums += Σ_g (x.d[g] · scale[g] · Σ q · x.q + minimum[g] · x.s[g])
@inline(__always)
func multiplyBlockTile(_ operands: TileOperands, hasMinima: Bool) {
    withKnownRows(operands) { operands in
        let weights = operands.weights
        var x = operands.activations
        var blockFactors = x + ActivationTile.scales
        var quants = weights + WeightTile.quants
        var factors = weights + WeightTile.starts
        var sums = SumTile(rows: operands.rows)
        for _ in 0..<operands.columns / 32 {
            let products = groupProducts(rows: operands.rows, starts: factors, quants, x, quads: 8)
            let scales = pair(factors + (WeightTile.scales &- WeightTile.starts))
            sums.update(products) { sum, product, row in
                let scale = number(blockFactors, row)
                sum.a = multiplyAdd(floats(product.a), scales.a * scale, sum.a)
                sum.b = multiplyAdd(floats(product.b), scales.b * scale, sum.b)
            }
            if hasMinima {
                let minima = pair(factors + (WeightTile.minima &- WeightTile.starts))
                sums.add(minima, times: blockFactors + (ActivationTile.sums &- ActivationTile.scales))
            }
            quants += 8 &* weightVectors
            x += 8 &* ActivationTile.step
            factors += weightVectors
            blockFactors += ActivationTile.step
        }
        sums.addScaled(to: operands.sums) { _ in Lanes(repeating: 1) }
    }
}

/// Multiplies tiles of floats.
let multiplyFloatTile: MultiplyKernel = {
    withKnownRows(($0, $1, $2, $3, $4)) { operands in
        var sums = SumTile(rows: operands.rows)
        for column in 0..<operands.columns {
            let x = operands.activations + column &* ActivationTile.step
            sums.add(pair(operands.weights + column &* weightVectors), times: x)
        }
        sums.addScaled(to: operands.sums) { _ in Lanes(repeating: 1) }
    }
}

/// Multiplies tiles of 16-bit numbers:
///
///     sums += Σ_g step[g] · x.step[g] · Σ n · x.n
///
/// where the products of a group are exact, and the groups are added as floats.
@inline(__always)
func multiplyWordTile(_ operands: TileOperands) {
    withKnownRows(operands) { operands in
        var steps = operands.weights + WeightWordTile.steps
        var numbers = operands.weights + WeightWordTile.numbers
        var x = operands.activations + ActivationWordTile.numbers
        var xSteps = operands.activations + ActivationWordTile.steps
        var sums = SumTile(rows: operands.rows)
        for _ in 0..<(operands.columns &+ 31) / 32 {
            for half in 0..<2 {
                // The numbers of two groups alternate every four columns.
                let products = wordProducts(
                    rows: operands.rows, numbers + 2 &* half &* weightVectors, x + 2 &* half &* ActivationTile.step,
                    pairs: 8
                ) { ($0 & 1) &+ ($0 & 6) &* 2 }
                let scales = pair(steps)
                sums.update(products) { sum, product, row in
                    let scale = number(xSteps, row)
                    sum.a = multiplyAdd(floats(product.a), scales.a * scale, sum.a)
                    sum.b = multiplyAdd(floats(product.b), scales.b * scale, sum.b)
                }
                steps += weightVectors
                xSteps += ActivationTile.step
            }
            numbers += 16 &* weightVectors
            x += 16 &* ActivationTile.step
        }
        sums.addScaled(to: operands.sums) { _ in Lanes(repeating: 1) }
    }
}

/// `starts + Σ q · x.q` over the `quads` · 4 columns of a group.
@inline(__always)
private func groupProducts(
    rows: Int, starts: UnsafeRawPointer, _ quants: UnsafeRawPointer, _ x: UnsafeRawPointer, quads: Int
) -> ProductTile {
    var products = ProductTile(rows: rows, bytes64(starts), bytes64(starts + 64))
    products.add(quants, x, quads: quads)
    return products
}

/// `Σ w · x` of 16-bit numbers, two columns at a time, at the offsets that `place` returns.
@inline(__always)
private func wordProducts(
    rows: Int, _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, pairs: Int, place: (_ index: Int) -> Int = { $0 }
) -> ProductTile {
    var products = ProductTile(rows: rows, Bytes64(), Bytes64())
    for index in 0..<pairs {
        let index = place(index)
        let a = bytes64(weights + index &* weightVectors)
        let b = bytes64(weights + (index &* weightVectors &+ 64))
        let x = x + index &* ActivationTile.step
        products.update { product, row in
            let x = _mm512_set1_epi32((x + 4 &* row).loadUnaligned(as: Int32.self))
            product.a = _mm512_dpwssd_epi32(product.a, a, x)
            product.b = _mm512_dpwssd_epi32(product.b, b, x)
        }
    }
    return products
}

/// Broadcasts the number of one row to all lanes.
@inline(__always)
private func number(_ numbers: UnsafeRawPointer, _ row: Int) -> Lanes {
    Lanes(repeating: numbers.loadUnaligned(fromByteOffset: 4 &* row, as: Float.self))
}

/// One float for each of 32 weight rows.
private typealias LanesPair = (a: Lanes, b: Lanes)

@inline(__always)
private func pair(_ source: UnsafeRawPointer) -> LanesPair {
    (source.loadUnaligned(as: Lanes.self), (source + 64).loadUnaligned(as: Lanes.self))
}

// MARK: - Registers

/// Integers for 32 weight rows by 6 activation rows, in 12 registers.
private struct ProductTile {
    typealias Pair = (a: Bytes64, b: Bytes64)
    /// The rows that are computed, 4 or 6.
    let rows: Int
    var row0, row1, row2, row3, row4, row5: Pair

    @inline(__always)
    init(rows: Int, _ a: Bytes64, _ b: Bytes64) {
        self.rows = rows
        row0 = (a, b)
        row1 = (a, b)
        row2 = (a, b)
        row3 = (a, b)
        row4 = (a, b)
        row5 = (a, b)
    }

    @inline(__always)
    mutating func update(_ body: (_ product: inout Pair, _ row: Int) -> Void) {
        body(&row0, 0)
        body(&row1, 1)
        body(&row2, 2)
        body(&row3, 3)
        guard rows > 4 else { return }
        body(&row4, 4)
        body(&row5, 5)
    }

    @inline(__always)
    mutating func update(_ products: ProductTile, _ body: (_ sum: inout Pair, _ product: Pair) -> Void) {
        body(&row0, products.row0)
        body(&row1, products.row1)
        body(&row2, products.row2)
        body(&row3, products.row3)
        guard rows > 4 else { return }
        body(&row4, products.row4)
        body(&row5, products.row5)
    }

    /// Adds `Σ q · x.q` over the `quads` · 4 columns of a group.
    @inline(__always)
    mutating func add(_ quants: UnsafeRawPointer, _ x: UnsafeRawPointer, quads: Int) {
        for quad in 0..<quads {
            let a = bytes64(quants + quad &* weightVectors)
            let b = bytes64(quants + (quad &* weightVectors &+ 64))
            let x = x + quad &* ActivationTile.step
            update { product, row in
                let x = _mm512_set1_epi32((x + 4 &* row).loadUnaligned(as: Int32.self))
                product.a = addProducts(product.a, x, a)
                product.b = addProducts(product.b, x, b)
            }
        }
    }
}

/// Floats for 32 weight rows by 6 activation rows, in 12 registers.
private struct SumTile {
    /// The rows that are computed, 4 or 6.
    let rows: Int
    var row0 = zero, row1 = zero, row2 = zero, row3 = zero, row4 = zero, row5 = zero

    @inline(__always)
    private static var zero: LanesPair { (Lanes(repeating: 0), Lanes(repeating: 0)) }

    @inline(__always)
    mutating func update(
        _ products: ProductTile, _ body: (_ sum: inout LanesPair, _ product: ProductTile.Pair, _ row: Int) -> Void
    ) {
        body(&row0, products.row0, 0)
        body(&row1, products.row1, 1)
        body(&row2, products.row2, 2)
        body(&row3, products.row3, 3)
        guard rows > 4 else { return }
        body(&row4, products.row4, 4)
        body(&row5, products.row5, 5)
    }

    @inline(__always)
    mutating func update(_ body: (_ sum: inout LanesPair, _ row: Int) -> Void) {
        body(&row0, 0)
        body(&row1, 1)
        body(&row2, 2)
        body(&row3, 3)
        guard rows > 4 else { return }
        body(&row4, 4)
        body(&row5, 5)
    }

    /// Adds products times one factor per weight row.
    @inline(__always)
    mutating func add(_ products: ProductTile, times factors: UnsafeRawPointer) {
        let factors = pair(factors)
        update(products) { sum, product, _ in
            sum.a = multiplyAdd(floats(product.a), factors.a, sum.a)
            sum.b = multiplyAdd(floats(product.b), factors.b, sum.b)
        }
    }

    /// Adds the minima of 256-element blocks, which have one factor for all groups.
    @inline(__always)
    mutating func addMinima(_ operands: TileOperands, groups: Int) {
        let groupSums = operands.activations + (groups == 16 ? ActivationTile.halfSums : ActivationTile.sums)
        let minima = operands.weights + WeightTile.minima
        add(wordProducts(rows: rows, minima, groupSums, pairs: groups / 2), times: minima + groups / 2 &* weightVectors)
    }

    /// Adds a pair times one number per row.
    @inline(__always)
    mutating func add(_ pair: LanesPair, times numbers: UnsafeRawPointer) {
        update { sum, row in
            let x = number(numbers, row)
            sum.a = multiplyAdd(pair.a, x, sum.a)
            sum.b = multiplyAdd(pair.b, x, sum.b)
        }
    }

    /// `destination[row] += sums[row] · scale(row)`.
    @inline(__always)
    mutating func addScaled(to destination: UnsafeMutablePointer<Float>, scale: (_ row: Int) -> Lanes) {
        update { sum, row in
            let place = destination + 32 &* row
            let scale = scale(row)
            store(multiplyAdd(sum.a, scale, load(place)), to: place)
            store(multiplyAdd(sum.b, scale, load(place + 16)), to: place + 16)
        }
    }
}
#endif
