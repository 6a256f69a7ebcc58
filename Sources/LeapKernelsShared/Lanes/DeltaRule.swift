#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// Steps of the gated delta rule; see `FloatKernels.DeltaRuleSteps`.
func deltaRule(
    _ state: UnsafeMutablePointer<Float>, _ query: UnsafePointer<Float>, _ key: UnsafePointer<Float>,
    _ value: UnsafePointer<Float>, _ stride: Int, _ decay: UnsafePointer<Float>, _ rate: UnsafePointer<Float>,
    _ gateStride: Int, _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ rows: Int, _ dimension: Int,
    _ columns: Int
) {
    recur(
        state, query, key, value, stride, decay, rate, gateStride, output, outputStride, rows, dimension, columns
    ) { $0.correct($1, $2) }
}

/// Steps of a state space; see `FloatKernels.StateSpaceSteps`.
func stateSpace(
    _ state: UnsafeMutablePointer<Float>, _ query: UnsafePointer<Float>, _ key: UnsafePointer<Float>,
    _ value: UnsafePointer<Float>, _ stride: Int, _ decay: UnsafePointer<Float>, _ rate: UnsafePointer<Float>,
    _ gateStride: Int, _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ rows: Int, _ dimension: Int,
    _ columns: Int
) {
    recur(
        state, query, key, value, stride, decay, rate, gateStride, output, outputStride, rows, dimension, columns
    ) { $0.add($1, $2) }
}

/// Applies an update rule to all columns, row after row.
@inline(__always)
private func recur(
    _ state: UnsafeMutablePointer<Float>, _ query: UnsafePointer<Float>, _ key: UnsafePointer<Float>,
    _ value: UnsafePointer<Float>, _ stride: Int, _ decay: UnsafePointer<Float>, _ rate: UnsafePointer<Float>,
    _ gateStride: Int, _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ rows: Int, _ dimension: Int,
    _ columns: Int, _ rule: (RecurrentStep, _ state: UnsafeMutablePointer<Float>, _ value: Lanes) -> Lanes
) {
    for row in 0..<rows {
        let step = RecurrentStep(
            query: query + row * stride, key: key + row * stride, dimension: dimension,
            decay: Lanes(repeating: decay[row * gateStride]), rate: Lanes(repeating: rate[row * gateStride]))
        let (value, output) = (value + row * stride, output + row * outputStride)
        forEachLanes(columns) { i in
            store(rule(step, state + i, load(value + i)), to: output + i)
        } rest: { i, n in
            store(rule(step, state + i, load(value + i, first: n)), first: n, to: output + i)
        }
    }
}

/// One recurrence step, applied to one vector of state columns.
private struct RecurrentStep {
    let query: UnsafePointer<Float>
    let key: UnsafePointer<Float>
    let dimension: Int
    let decay: Lanes
    let rate: Lanes

    /// The delta rule.
    ///
    /// - Parameters:
    ///   - state: The columns in the first row of S, padded with zeros to whole vectors.
    ///   - value: The step's values in these columns.
    /// - Returns: The step's output in these columns.
    @inline(__always)
    func correct(_ state: UnsafeMutablePointer<Float>, _ value: Lanes) -> Lanes {
        let change = (value - decay * product(state)) * rate
        return update(state, by: change)
    }

    /// The update rule of a state space, with the same parameters.
    @inline(__always)
    func add(_ state: UnsafeMutablePointer<Float>, _ value: Lanes) -> Lanes { update(state, by: value * rate) }

    /// Sᵀ · k, in four independent accumulators.
    @inline(__always)
    private func product(_ state: UnsafePointer<Float>) -> Lanes {
        var sums = FourSums()
        forEachFour { i in
            sums.a = multiplyAdd(row(state, i), Lanes(repeating: key[i]), sums.a)
            sums.b = multiplyAdd(row(state, i + 1), Lanes(repeating: key[i + 1]), sums.b)
            sums.c = multiplyAdd(row(state, i + 2), Lanes(repeating: key[i + 2]), sums.c)
            sums.d = multiplyAdd(row(state, i + 3), Lanes(repeating: key[i + 3]), sums.d)
        } rest: { i in
            sums.a = multiplyAdd(row(state, i), Lanes(repeating: key[i]), sums.a)
        }
        return sums.total
    }

    /// S ← α · S + k ⊗ change; returns Sᵀ · q.
    @inline(__always)
    private func update(_ state: UnsafeMutablePointer<Float>, by change: Lanes) -> Lanes {
        var sums = FourSums()
        forEachFour { i in
            sums.a = multiplyAdd(updated(state, i, change), Lanes(repeating: query[i]), sums.a)
            sums.b = multiplyAdd(updated(state, i + 1, change), Lanes(repeating: query[i + 1]), sums.b)
            sums.c = multiplyAdd(updated(state, i + 2, change), Lanes(repeating: query[i + 2]), sums.c)
            sums.d = multiplyAdd(updated(state, i + 3, change), Lanes(repeating: query[i + 3]), sums.d)
        } rest: { i in
            sums.a = multiplyAdd(updated(state, i, change), Lanes(repeating: query[i]), sums.a)
        }
        return sums.total
    }

    @inline(__always)
    private func row(_ state: UnsafePointer<Float>, _ i: Int) -> Lanes { load(state + i * DeltaRule.columns) }

    @inline(__always)
    private func updated(_ state: UnsafeMutablePointer<Float>, _ i: Int, _ change: Lanes) -> Lanes {
        let row = multiplyAdd(Lanes(repeating: key[i]), change, row(state, i) * decay)
        store(row, to: state + i * DeltaRule.columns)
        return row
    }

    @inline(__always)
    private func forEachFour(_ four: (_ first: Int) -> Void, rest: (_ i: Int) -> Void) {
        var i = 0
        while i + 4 <= dimension {
            four(i)
            i += 4
        }
        while i < dimension {
            rest(i)
            i += 1
        }
    }
}

private struct FourSums {
    var a = Lanes(repeating: 0)
    var b = Lanes(repeating: 0)
    var c = Lanes(repeating: 0)
    var d = Lanes(repeating: 0)

    var total: Lanes {
        @inline(__always) get { (a + b) + (c + d) }
    }
}
#endif
