import LeapBlocks

extension Compute {
    /// Adds each slot's expert bias.
    ///
    /// - Parameters:
    ///   - biases: `[experts, y.width]`.
    ///   - y: `[slots, width]`.
    public func addBiases(_ biases: UnsafePointer<Float>, to y: Rows, _ groups: ExpertGroups) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.addition, y, streams: 3)) }
        parallel(groups.count, grain: 1, AddingBiases(add: kernels.floats.add, biases: biases, y: y, groups: groups))
    }
}

private struct AddingBiases: ParallelWork {
    let add: FloatKernels.Add
    let biases: UnsafePointer<Float>
    let y: Rows
    let groups: ExpertGroups

    func run(_ range: Range<Int>, worker: Int) {
        for group in range {
            let bias = biases + groups.expert(group) * y.width
            for slot in groups.slots(group) { add(y[slot], bias, y.width) }
        }
    }
}
