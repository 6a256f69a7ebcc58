/// A small weight vector as floats: a norm's gains, a bias, a filter. Immutable after its initialisation.
final class FloatVector: @unchecked Sendable {
    // `@unchecked`: nothing writes after `init`.

    /// The values, contiguous.
    let base: UnsafePointer<Float>
    let count: Int

    init(count: Int, fill: (UnsafeMutablePointer<Float>) -> Void) {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(count, 1))
        memory.initialize(repeating: 0, count: max(count, 1))
        fill(memory)
        base = UnsafePointer(memory)
        self.count = count
    }

    /// The values as a matrix of so many columns, transposed.
    func transposed(columns: Int) -> FloatVector {
        let rows = count / columns
        return FloatVector(count: count) { target in
            for row in 0..<rows {
                for column in 0..<columns { target[column * rows + row] = base[row * columns + column] }
            }
        }
    }

    deinit { base.deallocate() }
}
