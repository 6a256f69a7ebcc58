import LeapBlocks
import _Builtin_intrinsics.intel

/// 32 quants of each of four blocks, in element order.
typealias QuartetOfQuants = (Bytes32, Bytes32, Bytes32, Bytes32)

/// Four blocks of weights: quants, a scale for each block, and a minimum for each where the format has them.
typealias WeightQuartet = (quants: QuartetOfQuants, d: SIMD4<Float>, m: SIMD4<Float>)

/// Four blocks of activations: quants; zero · q, as sums of two, to be taken off the products; a scale for each block,
/// and the sum of its values where the weights have minima.
typealias ActivationQuartet = (quants: QuartetOfQuants, offsets: QuartetOfQuants, d: SIMD4<Float>, s: SIMD4<Float>)

// MARK: - Formats with a zero point

/// A format `d · (q − zero)` with unsigned quants, which meets `Q8_0`.
protocol OffsetBlockFormat: BlockFormat {
    static var zero: UInt8 { get }
}

extension OffsetBlockFormat {
    @inline(__always)
    static var activationByteCount: Int { BlockQ8_0.byteCount }

    @inline(__always)
    static func prepare(_ blocks: BlockQuartet) -> ActivationQuartet {
        let x = quants(blocks, BlockQ8_0.qs)
        let offsets = (
            _mm256_maddubs_epi16(splat(zero), x.0), _mm256_maddubs_epi16(splat(zero), x.1),
            _mm256_maddubs_epi16(splat(zero), x.2), _mm256_maddubs_epi16(splat(zero), x.3)
        )
        return (x, offsets, halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0))
    }

    @inline(__always)
    static func accumulate(_ weights: WeightQuartet, _ activations: ActivationQuartet, _ sum: Lanes) -> Lanes {
        let (w, x, offsets) = (weights.quants, activations.quants, activations.offsets)
        let products = (
            product(w.0, x.0, offsets.0), product(w.1, x.1, offsets.1),
            product(w.2, x.2, offsets.2), product(w.3, x.3, offsets.3)
        )
        return addScaled(products, weights.d * activations.d, sum)
    }

    @inline(__always)
    private static func product(_ weights: Bytes32, _ activations: Bytes32, _ offset: Bytes32) -> Bytes32 {
        let sumsOfTwo = _mm256_sub_epi16(_mm256_maddubs_epi16(weights, activations), offset)
        return _mm256_madd_epi16(sumsOfTwo, splat16(1))
    }
}

// MARK: - Formats of signed bytes

/// A format `d · q` with signed quants, which meets `Q8_0`.
protocol SignedBlockFormat: BlockFormat {}

extension SignedBlockFormat {
    @inline(__always)
    static var activationByteCount: Int { BlockQ8_0.byteCount }

    @inline(__always)
    static func prepare(_ blocks: BlockQuartet) -> ActivationQuartet {
        let zero = Bytes32()
        return (
            quants(blocks, BlockQ8_0.qs), (zero, zero, zero, zero), halves(BlockQ8_0.d, of: blocks),
            SIMD4(repeating: 0)
        )
    }

    @inline(__always)
    static func accumulate(_ weights: WeightQuartet, _ activations: ActivationQuartet, _ sum: Lanes) -> Lanes {
        let (w, x) = (weights.quants, activations.quants)
        let products = (
            signedProducts(w.0, x.0), signedProducts(w.1, x.1), signedProducts(w.2, x.2), signedProducts(w.3, x.3)
        )
        return addScaled(products, weights.d * activations.d, sum)
    }
}

// MARK: - Formats with minima

/// A format `d · q + m` with unsigned quants, which meets `Q8_1`: Σ (d q + m) x = d Σ q x + m Σ x.
protocol MinimumBlockFormat: BlockFormat {}

extension MinimumBlockFormat {
    @inline(__always)
    static var activationByteCount: Int { BlockQ8_1.byteCount }

    @inline(__always)
    static func prepare(_ blocks: BlockQuartet) -> ActivationQuartet {
        let zero = Bytes32()
        return (
            quants(blocks, BlockQ8_1.qs), (zero, zero, zero, zero), halves(BlockQ8_1.d, of: blocks),
            halves(BlockQ8_1.s, of: blocks)
        )
    }

    @inline(__always)
    static func accumulate(_ weights: WeightQuartet, _ activations: ActivationQuartet, _ sum: Lanes) -> Lanes {
        let (w, x) = (weights.quants, activations.quants)
        let products = (products(w.0, x.0), products(w.1, x.1), products(w.2, x.2), products(w.3, x.3))
        let minima = Lanes(lowHalf: weights.m * activations.s, highHalf: SIMD4(repeating: 0))
        return addScaled(products, weights.d * activations.d, sum + minima)
    }
}

// MARK: - Parts

/// 32 bytes at an offset in each of four blocks.
@inline(__always)
func quants(_ blocks: BlockQuartet, _ offset: Int) -> QuartetOfQuants {
    (
        bytes32(block(0, of: blocks) + offset), bytes32(block(1, of: blocks) + offset),
        bytes32(block(2, of: blocks) + offset), bytes32(block(3, of: blocks) + offset)
    )
}

/// `sum + Σ_b scale[b] · products[b]`, lane by lane.
@inline(__always)
private func addScaled(_ products: QuartetOfQuants, _ scales: SIMD4<Float>, _ sum: Lanes) -> Lanes {
    let scales = _mm256_set_m128(scales, scales)
    var sum = multiplyAdd(floats(products.0), splat(scales, 0), sum)
    sum = multiplyAdd(floats(products.1), splat(scales, 1), sum)
    sum = multiplyAdd(floats(products.2), splat(scales, 2), sum)
    return multiplyAdd(floats(products.3), splat(scales, 3), sum)
}

/// One of the four numbers that both halves hold, in all lanes.
@inline(__always)
private func splat(_ numbers: Lanes, _ index: Int32) -> Lanes {
    _mm256_permutevar_ps(numbers, _mm256_set1_epi32(index))
}
