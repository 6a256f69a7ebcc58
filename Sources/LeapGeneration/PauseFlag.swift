import Synchronization

/// A switch that suspends a generation from any thread, for example for backpressure from a slow reader.
public final class PauseFlag: Sendable {
    private struct State {
        var isSet = false
        var whenReleased: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// A flag that is not set.
    public init() {}

    /// Suspends the generation before its next pass. It keeps its state.
    public func set() {
        state.withLock { $0.isSet = true }
    }

    /// Resumes the generation. Wakes its owner even if the flag was not set, so that the owner can check for other changes,
    /// such as a cancellation.
    public func release() {
        let action = state.withLock { state in
            state.isSet = false
            return state.whenReleased
        }
        action?()
    }

    /// Whether the generation holds still.
    public var isSet: Bool { state.withLock(\.isSet) }

    /// Sets the action that wakes the generation's owner when the flag is released.
    public func whenReleased(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenReleased = action }
    }
}
