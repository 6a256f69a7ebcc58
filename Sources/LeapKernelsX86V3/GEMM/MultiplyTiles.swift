#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// The innermost loops of the engine: 16 weight rows by 6 activation rows over one slab.
//
// A multiplication of bytes gives sums of two products in 16 bits. Widening every one of them to 32 bits would cost as
// much again; instead they are added up in 16 bits, modulo 2¹⁶, as far as the result is sure to fit:
//
//     n columns of (q − z) · x, two lanes for each row    n / 2 · max |q − z| · 127 < 2¹⁵
//
// The zero point z is what makes most formats fit, and costs nothing: the sums start at −z · Σ x.

/// Multiplies tiles of blocks of 256 with unsigned quants and integer scales:
///
///     sums += x.d · (d · Σ_g scale[g] · Σ (q − zero) · x.q − dmin · Σ_g minimum[g] · Σ x.q)
///
/// - Parameters:
///   - groupSize: Columns with a scale of their own, 16 or 32.
///   - partSize: Columns whose sums fit 16 bits, 16 or 32.
///   - zero: 0 where the format has minima.
@inline(__always)
func multiplySuperBlockTile(
    _ operands: TileOperands, groupSize: Int, partSize: Int, zero: Int16, hasMinima: Bool
) {
    let (weights, x) = (operands.weights, operands.activations)
    // Registers do not suffice for two tiles of integers: the wider one lies in memory.
    var memory = IntegerTile { _ in (Bytes32(), Bytes32()) }
    withUnsafeMutablePointer(to: &memory) { integers in
        let integers = UnsafeMutableRawPointer(integers).assumingMemoryBound(to: IntegerPair.self)
        for part in 0..<256 / partSize {
            let column = part &* partSize
            let products = byteProducts(weights, x, column: column, count: partSize) {
                zero == 0 ? Bytes32() : start(x, part, zero: zero, row: $0)
            }
            let scales = pair(weights + (WeightTile.scales &+ column / groupSize &* weightVectors))
            products.forEach { product, row in
                let sum = integers[row]
                integers[row].a = _mm256_add_epi32(sum.a, _mm256_madd_epi16(product.a, scales.a))
                integers[row].b = _mm256_add_epi32(sum.b, _mm256_madd_epi16(product.b, scales.b))
            }
        }
        addSuperBlock(operands, integers, groupSize: groupSize, hasMinima: hasMinima)
    }
}

@inline(__always)
private func addSuperBlock(
    _ operands: TileOperands, _ integers: UnsafeMutablePointer<IntegerPair>, groupSize: Int, hasMinima: Bool
) {
    let d = pairOfLanes(operands.weights + WeightTile.factors)
    if !hasMinima {
        for row in 0..<6 {
            let scale = number(operands.activations, ActivationTile.Q8_K.scale, row)
            let sum = integers[row]
            operands.sums.add((floats(sum.a) * d.a, floats(sum.b) * d.b), times: scale, row: row)
        }
        return
    }
    let sums = groupSize == 16 ? ActivationTile.Q8_K.halfSums : ActivationTile.Q8_K.sums
    let minima = wordProducts(
        operands.weights + WeightTile.minima, operands.activations + sums, rowStep: ActivationTile.factorStep,
        steps: 128 / groupSize)
    let dmin = pairOfLanes(operands.weights + (WeightTile.factors &+ weightVectors))
    minima.forEach { minimum, row in
        let scale = number(operands.activations, ActivationTile.Q8_K.scale, row)
        let sum = integers[row]
        let a = _mm256_fnmadd_ps(floats(minimum.a), dmin.a, floats(sum.a) * d.a)
        let b = _mm256_fnmadd_ps(floats(minimum.b), dmin.b, floats(sum.b) * d.b)
        operands.sums.add((a, b), times: scale, row: row)
    }
}

/// Multiplies tiles of blocks of 32 with unsigned quants:
///
///     sums += Σ_g (x.d[g] · scale[g] · Σ (q − zero) · x.q + minimum[g] · x.s[g])
///
/// - Parameter raise: What is taken off the quants to make sums fit 16 bits, and added back to them: for formats that
///   have minima in place of a zero point.
@inline(__always)
func multiplyBlockTile(_ operands: TileOperands, zero: Int16, raise: Int16, hasMinima: Bool) {
    let (weights, x) = (operands.weights, operands.activations)
    let offset = zero &+ raise
    for block in 0..<operands.columns / 32 {
        let products = byteProducts(weights, x, column: 32 &* block, count: 32) {
            offset == 0 ? Bytes32() : start(x, block, zero: offset, row: $0)
        }
        addBlock(operands, block, products, hasMinima: hasMinima) { product, row in
            let sum = _mm256_madd_epi16(product, splat16(1))
            if raise == 0 { return sum }
            let starts = factor(x + ActivationTile.starts, block, row: row)
            return _mm256_add_epi32(sum, _mm256_madd_epi16(starts, _mm256_set1_epi16(-raise)))
        }
    }
}

/// Multiplies tiles of blocks, or groups, with signed quants of 16 bits.
///
/// - Parameters:
///   - groupSize: 16 or 32 columns.
///   - isSuperBlock: Whether the activations have one scale for all groups, as `Q8_K` does.
@inline(__always)
func multiplyWordTile(_ operands: TileOperands, groupSize: Int, isSuperBlock: Bool) {
    let pairs = groupSize / 2
    for group in 0..<(operands.columns &+ 31) / 32 &* (32 / groupSize) {
        let products = wordProducts(
            operands.weights + (WeightTile.quants &+ pairs &* group &* weightVectors),
            operands.activations + (ActivationTile.words &+ 4 &* pairs &* group), rowStep: ActivationTile.wordStep,
            steps: pairs)
        addBlock(operands, group, products, isSuperBlock: isSuperBlock, hasMinima: false) { product, _ in product }
    }
}

/// Adds the products of a block, which `sum` widens to 32 bits, times their scales, and its minima.
@inline(__always)
private func addBlock(
    _ operands: TileOperands, _ block: Int, _ products: IntegerTile, isSuperBlock: Bool = false, hasMinima: Bool,
    sum: (_ product: Bytes32, _ row: Int) -> Bytes32
) {
    let scales = pairOfLanes(operands.weights + (WeightTile.scales &+ block &* weightVectors))
    let minima = pairOfLanes(operands.weights + (WeightTile.minima &+ block &* weightVectors))
    products.forEach { product, row in
        let scale = isSuperBlock ? ActivationTile.Q8_K.scale : ActivationTile.scales &+ 4 &* block
        let a = floats(sum(product.a, row)) * scales.a
        let b = floats(sum(product.b, row)) * scales.b
        operands.sums.add((a, b), times: number(operands.activations, scale, row), row: row)
        if hasMinima {
            let s = number(operands.activations, ActivationTile.sums &+ 4 &* block, row)
            operands.sums.add(minima, times: s, row: row)
        }
    }
}

// MARK: - Products

/// Sums over `count` columns of bytes in 16 bits, two for each weight row, after what `start` gives for a row.
@inline(__always)
private func byteProducts(
    _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, column: Int, count: Int, start: (_ row: Int) -> Bytes32
) -> IntegerTile {
    products(
        weights + (WeightTile.quants &+ column / 4 &* weightVectors), x + (ActivationTile.bytes &+ column),
        rowStep: ActivationTile.byteStep, steps: count / 4, start: start
    ) { sum, w, x in _mm256_add_epi16(sum, _mm256_maddubs_epi16(w, x)) }
}

/// Sums of products of 16-bit numbers in 32 bits, over `steps` of two columns.
@inline(__always)
private func wordProducts(
    _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, rowStep: Int, steps: Int
) -> IntegerTile {
    products(weights, x, rowStep: rowStep, steps: steps, start: { _ in Bytes32() }) { sum, w, x in
        _mm256_add_epi32(sum, _mm256_madd_epi16(w, x))
    }
}

/// Sums over `steps` lanes of 32 bits of every row.
@inline(__always)
private func products(
    _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, rowStep: Int, steps: Int, start: (_ row: Int) -> Bytes32,
    add: (_ sum: Bytes32, _ weights: Bytes32, _ x: Bytes32) -> Bytes32
) -> IntegerTile {
    // The first step stands outside of the loop so that sums which start at zero need no addition there.
    let first = pair(weights)
    var sums = IntegerTile { row in
        let (start, x) = (start(row), lane(x + row &* rowStep))
        return (add(start, first.a, x), add(start, first.b, x))
    }
    for step in 1..<steps {
        let w = pair(weights + step &* weightVectors)
        sums.update { sum, row in
            let x = lane(x + (row &* rowStep &+ 4 &* step))
            sum = (add(sum.a, w.a, x), add(sum.b, w.b, x))
        }
    }
    return sums
}

/// `−zero · Σ x` over the columns of a part that meet in a lane.
@inline(__always)
private func start(_ x: UnsafeRawPointer, _ part: Int, zero: Int16, row: Int) -> Bytes32 {
    _mm256_mullo_epi16(factor(x + ActivationTile.starts, part, row: row), _mm256_set1_epi16(zero))
}

// MARK: - Memory

/// 32 bits, in all lanes.
@inline(__always)
private func lane(_ source: UnsafeRawPointer) -> Bytes32 { _mm256_set1_epi32(source.loadUnaligned(as: Int32.self)) }

/// One of a row's factors, in all lanes.
@inline(__always)
private func factor(_ factors: UnsafeRawPointer, _ index: Int, row: Int) -> Bytes32 {
    lane(factors + (row &* ActivationTile.factorStep &+ 4 &* index))
}

/// A row's number, in all lanes.
@inline(__always)
private func number(_ x: UnsafeRawPointer, _ offset: Int, _ row: Int) -> Lanes {
    Lanes(repeating: x.loadUnaligned(fromByteOffset: offset &+ row &* ActivationTile.factorStep, as: Float.self))
}

@inline(__always)
private func pair(_ source: UnsafeRawPointer) -> IntegerPair { (bytes32(source), bytes32(source + 32)) }

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
private typealias IntegerPair = (a: Bytes32, b: Bytes32)

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
