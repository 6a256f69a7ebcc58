/// Matrices that are stored with their rows as columns, one after the other.
struct TransposedRows {
    let type: ElementType
    /// Rows of a matrix as it is written: what is contiguous in the file.
    let rows: Int
    /// Elements of a row as it is written.
    let columns: Int

    /// Reads rows, of which neighbours are read together as long as they are of the same matrix.
    ///
    /// - Parameter places: Numbers of rows among those of all matrices, in ascending order.
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
