#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Rotates pairs half a rotated head apart; see `FloatKernels.RoPE`.
func ropeNeoX(
    _ x: UnsafeMutablePointer<Float>, _ heads: Int, _ headDimension: Int,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ pairs: Int
) {
    for head in 0..<heads {
        let first = x + head * headDimension
        let second = first + pairs
        forEachLanes(pairs) { i in
            let (a, b) = rotated(load(first + i), load(second + i), load(cosines + i), load(sines + i))
            store(a, to: first + i)
            store(b, to: second + i)
        } rest: { i, n in
            let (a, b) = rotated(
                load(first + i, first: n), load(second + i, first: n), load(cosines + i, first: n),
                load(sines + i, first: n))
            store(a, first: n, to: first + i)
            store(b, first: n, to: second + i)
        }
    }
}

/// (a, b) turned by an angle: (a cos θ − b sin θ, a sin θ + b cos θ).
@inline(__always)
private func rotated(_ a: Lanes, _ b: Lanes, _ cosine: Lanes, _ sine: Lanes) -> (Lanes, Lanes) {
    (a * cosine - b * sine, a * sine + b * cosine)
}

/// Rotates neighbouring pairs; see `FloatKernels.RoPE`.
func ropeInterleaved(
    _ x: UnsafeMutablePointer<Float>, _ heads: Int, _ headDimension: Int,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ pairs: Int
) {
    for head in 0..<heads {
        let row = x + head * headDimension
        for i in 0..<pairs {
            let (a, b) = (row[2 * i], row[2 * i + 1])
            row[2 * i] = a * cosines[i] - b * sines[i]
            row[2 * i + 1] = a * sines[i] + b * cosines[i]
        }
    }
}
#endif
