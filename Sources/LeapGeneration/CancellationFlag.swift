import Synchronization

/// A switch that ends a generation from any thread.
public final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    private let parent: CancellationFlag?

    /// A flag that is not set.
    ///
    /// - Parameter parent: A flag that sets this one too.
    public init(under parent: CancellationFlag? = nil) {
        self.parent = parent
    }

    /// Asks the generation to end. It does so before the next layer of the model.
    public func cancel() {
        flag.store(true, ordering: .relaxed)
    }

    /// Whether the generation was asked to end.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) || parent?.isCancelled == true }
}
