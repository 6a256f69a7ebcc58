/// Transposed matrices, stored consecutively.
struct TransposedRows {
    let type: ElementType
    /// Rows of a written matrix: the contiguous dimension in the file.
    let rows: Int
    /// Elements of a written row.
    let columns: Int

    /// Reads rows; adjacent rows of the same matrix are read together.
    ///
    /// - Parameter places: Row numbers among those of all matrices, in ascending order.
    func read(_ places: [Int], of source: UnsafeRawPointer, to values: UnsafeMutablePointer<Float>) {
        var start = 0
        while start < places.count {
            let matrix = places[start] / rows
            let end = places[start...].firstIndex { $0 / rows != matrix } ?? places.count
            read(places[start..<end], matrix, source, values)
            start = end
        }
    }

    private func read(
        _ places: ArraySlice<Int>, _ matrix: Int, _ source: UnsafeRawPointer, _ values: UnsafeMutablePointer<Float>
    ) {
        guard let first = places.first, let last = places.last else { return }
        let start = source + (matrix * columns * rows + first % rows) * type.size
        withUnsafeTemporaryAllocation(of: Float.self, capacity: last - first + 1) { line in
            guard let line = line.baseAddress else { return }
            for column in 0..<columns {
                type.read(start + column * rows * type.size, line, count: last - first + 1)
                for (i, place) in zip(places.indices, places) { values[i * columns + column] = line[place - first] }
            }
        }
    }
}
