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

    deinit { base.deallocate() }
}
