/// A one-time event that tests can wait for; a test's time limit ends the wait.
public actor Signal {
    private var isSet = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a signal that is not set.
    public init() {}

    /// Sets the signal: resumes all current waiters, and future ones do not wait.
    public func set() {
        isSet = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Waits until the signal is set.
    public func wait() async {
        if isSet { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
