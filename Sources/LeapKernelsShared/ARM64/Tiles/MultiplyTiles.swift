#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// The innermost loops of the engine: 8 weight rows by 6 activation rows over one slab, done twice per tile. The
// arithmetic depends on the format; which instruction multiplies, and which lane belongs to which rows, is defined in a
// level's `TileRegisters.swift`.

/// Multiplies tiles of 256-element blocks, whose activations have one scale per slab:
///
///     sums += x.d · (d · Σ_g scale[g] · Σ q · x.q − dmin · Σ_g minimum[g] · Σ x.q)
///
/// where both sums over groups are exact integers.
///
/// - Parameter groupSize: Columns that share a scale, 16 or 32.
@inline(__always)
func multiplySuperBlockTile(_ operands: TileOperands, groupSize: Int, hasMinima: Bool) {
    for half in 0..<2 {
        let weights = operands.weights + half &* WeightTile.halfBytes
        let factors = weights + WeightTile.factors
        let products = scaledProducts(
            weights, operands.activations, columns: operands.columns, groupSize: groupSize)
        var sums = map(floats(products), weightNumbers(factors)) { $0 * $1 }
        if hasMinima {
            let minima = minimumProducts(weights, operands.activations, groupSize: groupSize)
            sums = map(sums, floats(minima), weightNumbers(factors + WeightTile.numbers)) { vfmsq_f32($0, $1, $2) }
        }
        let scales = activationNumbers(operands.activations + ActivationTile.scales)
        add(map(sums, scales) { $0 * $1 }, to: operands.sums + halfRows &* half)
    }
}

/// Multiplies tiles of 32-element blocks, whose activations have one scale per block:
///
///     sums += Σ_g (x.d[g] · scale[g] · Σ q · x.q + minimum[g] · x.s[g])
@inline(__always)
func multiplyBlockTile(_ operands: TileOperands, hasMinima: Bool) {
    for half in 0..<2 {
        let weights = operands.weights + half &* WeightTile.halfBytes
        var sums = floatZeros
        for block in 0..<operands.columns / 32 {
            var products = integerZeros
            addProducts(
                &products, weights + 4 &* block &* WeightTile.step,
                operands.activations + 4 &* block &* ActivationTile.step, steps: 4)
            let scales = weights + (WeightTile.scales &+ block &* WeightTile.numbers)
            let x = operands.activations + (ActivationTile.scales &+ block &* ActivationTile.numbers)
            let factors = map(weightNumbers(scales), activationNumbers(x)) { $0 * $1 }
            sums = map(sums, floats(products), factors) { multiplyAdd($1, $2, $0) }
            if hasMinima {
                let minima = weightNumbers(scales + 8 &* WeightTile.numbers)
                let blockSums = activationNumbers(x + (ActivationTile.sums &- ActivationTile.scales))
                sums = map(sums, minima, blockSums) { multiplyAdd($1, $2, $0) }
            }
        }
        add(sums, to: operands.sums + halfRows &* half)
    }
}

// MARK: - Products

/// `Σ_g scale[g] · Σ q · x.q`.
@inline(__always)
private func scaledProducts(
    _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, columns: Int, groupSize: Int
) -> IntegerTile {
    let steps = groupSize / 8
    var sums = integerZeros
    for group in 0..<columns / groupSize {
        var products = integerZeros
        addProducts(
            &products, weights + group &* steps &* WeightTile.step, x + group &* steps &* ActivationTile.step,
            steps: steps)
        let scales = weightNumbers(weights + (WeightTile.scales &+ group &* WeightTile.numbers))
        sums = map(sums, products, integers(bits: scales)) { vmlaq_s32($0, $1, $2) }
    }
    return sums
}

/// `Σ_g minimum[g] · Σ x.q`, from the high digits of the sums and then from the low ones.
@inline(__always)
private func minimumProducts(
    _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, groupSize: Int
) -> IntegerTile {
    let steps = 256 / groupSize / 8
    let minima = weights + WeightTile.minima
    let digits = x + (groupSize == 16 ? ActivationTile.fineDigits : ActivationTile.digits)
    var products = integerZeros
    addProducts(&products, minima, digits, steps: steps)
    products = map(products) { vshlq_s32($0, vdupq_n_s32(7)) }
    addProducts(&products, minima, digits + steps &* ActivationTile.step, steps: steps)
    return products
}

/// Accumulates the products of 8 columns per step.
@inline(__always)
private func addProducts(
    _ products: inout IntegerTile, _ weights: UnsafeRawPointer, _ x: UnsafeRawPointer, steps: Int
) {
    for step in 0..<steps {
        let (weights, x) = (weights + step &* WeightTile.step, x + step &* ActivationTile.step)
        addProducts(
            &products,
            (signedBytes(weights), signedBytes(weights + 16), signedBytes(weights + 32), signedBytes(weights + 48)),
            (signedBytes(x), signedBytes(x + 16), signedBytes(x + 32)))
    }
}

// MARK: - Sums

/// Adds the sums of 8 weight rows to the tile's.
@inline(__always)
private func add(_ sums: FloatTile, to destination: UnsafeMutablePointer<Float>) {
    let rows = inRows(sums)
    add(rows.0, rows.1, to: destination)
    add(rows.2, rows.3, to: destination + tileShape.weightRows)
    add(rows.4, rows.5, to: destination + 2 &* tileShape.weightRows)
    add(rows.6, rows.7, to: destination + 3 &* tileShape.weightRows)
    add(rows.8, rows.9, to: destination + 4 &* tileShape.weightRows)
    add(rows.10, rows.11, to: destination + 5 &* tileShape.weightRows)
}

@inline(__always)
private func add(_ first: Lanes, _ last: Lanes, to destination: UnsafeMutablePointer<Float>) {
    store(load(destination) + first, to: destination)
    store(load(destination + 4) + last, to: destination + 4)
}
#endif
