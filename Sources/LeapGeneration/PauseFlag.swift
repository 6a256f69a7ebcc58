import Synchronization

/// A switch that holds a generation still from any thread, because what it says is not read fast enough, say.
public final class PauseFlag: Sendable {
    private struct State {
        var isSet = false
        var whenReleased: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// A flag that is not set.
    public init() {}

    /// Asks the generation to hold still. It does so before the next pass, and keeps what it has.
    public func set() {
        state.withLock { $0.isSet = true }
    }

    /// Lets the generation go on; also wakes its owner where it was not held, who may have to look for other reasons.
    public func release() {
        let action = state.withLock { state in
            state.isSet = false
            return state.whenReleased
        }
        action?()
    }

    /// Whether the generation holds still.
    public var isSet: Bool { state.withLock(\.isSet) }

    /// What wakes the one who goes on with the generation.
    public func whenReleased(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenReleased = action }
    }
}
