/// A small weight vector as floats: a norm's gains, a bias, a filter. Immutable; the memory belongs to a
/// ``FloatVectorStorage``.
struct FloatVector: @unchecked Sendable {
    // `@unchecked`: nothing writes to the values, and the vector keeps its storage alive.

    /// The values, contiguous.
    let base: UnsafePointer<Float>
    let count: Int

    /// Some of the values; the range must lie within ``count``.
    subscript(range: Range<Int>) -> FloatVector {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return FloatVector(base: base + range.lowerBound, count: range.count)
    }
}

/// The memory of a model's float vectors. Vectors are plain pointers, so that layers can be handed to a forward pass
/// without counting references; the model keeps this storage as long as its layers.
final class FloatVectorStorage: @unchecked Sendable {
    // `@unchecked`: grows only while one thread binds a model.

    private var vectors: [UnsafePointer<Float>] = []

    /// A vector of `count` values, which `fill` writes.
    func vector(count: Int, fill: (UnsafeMutablePointer<Float>) -> Void) -> FloatVector {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(count, 1))
        memory.initialize(repeating: 0, count: max(count, 1))
        fill(memory)
        let base = UnsafePointer(memory)
        vectors.append(base)
        return FloatVector(base: base, count: count)
    }

    deinit {
        for vector in vectors { vector.deallocate() }
    }
}
