import LeapOps

/// Learned positions of a square of patches, resized to any other grid.
///
/// Resizing is bilinear with antialiasing: it interpolates between the table's places if the grid is larger, and averages all
/// places that one covers, with a triangle as weights, if it is smaller. It takes less time than one layer's norms, so results
/// are not kept.
/// Source: Beyer et al. 2023, "FlexiViT", section 3.2; the weights are Pillow's for its filter `BILINEAR`.
struct PositionTable: Sendable {
    /// `[side · side, width]`, row by row.
    let values: FloatVector
    let side: Int

    private var width: Int { values.count / (side * side) }

    /// Writes the positions of a grid, `[grid.count, width]`.
    func write(to rows: Rows, _ grid: PatchGrid) {
        let (across, down) = (TriangleWeights(from: side, to: grid.width), TriangleWeights(from: side, to: grid.height))
        var squeezed = [Float](repeating: 0, count: side * grid.width * width)
        squeezed.withUnsafeMutableBufferPointer { squeezed in
            guard let base = squeezed.baseAddress else { return }
            for row in 0..<side {
                for column in 0..<grid.width {
                    sum(
                        across.parts[column], of: values.base + row * side * width, stride: width,
                        into: base + (row * grid.width + column) * width)
                }
            }
            for row in 0..<grid.height {
                for column in 0..<grid.width {
                    sum(
                        down.parts[row], of: base + column * width, stride: grid.width * width,
                        into: rows[row * grid.width + column])
                }
            }
        }
    }

    /// The weighted sum of vectors at a distance of `stride` floats.
    private func sum(
        _ part: TriangleWeights.Part, of source: UnsafePointer<Float>, stride: Int,
        into target: UnsafeMutablePointer<Float>
    ) {
        target.update(repeating: 0, count: width)
        for (index, weight) in part.weights.enumerated() {
            let vector = source + (part.start + index) * stride
            for element in 0..<width { target[element] += weight * vector[element] }
        }
    }
}

/// How much of each place of a line goes into each place of a resized one.
struct TriangleWeights {
    /// The weights for one place.
    struct Part {
        /// The first place of the old line.
        let start: Int
        /// The weights of that place and those after it; their sum is 1.
        let weights: [Float]
    }

    let parts: [Part]

    init(from count: Int, to newCount: Int) {
        let scale = Double(count) / Double(newCount)
        let support = max(scale, 1)
        parts = (0..<newCount).map { index in
            let center = (Double(index) + 0.5) * scale
            let start = max(0, Int((center - support + 0.5).rounded(.towardZero)))
            let end = min(count, Int((center + support + 0.5).rounded(.towardZero)))
            let weights = (start..<end).map { max(0, 1 - abs((Double($0) + 0.5 - center) / support)) }
            let sum = weights.reduce(0, +)
            return Part(start: start, weights: weights.map { Float($0 / sum) })
        }
    }
}
