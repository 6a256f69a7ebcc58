/// Something that happens once and is waited for; a test's time limit ends the waiting.
public actor Signal {
    private var isSet = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A signal that nothing has set.
    public init() {}

    /// Lets all go on that wait, and that will wait.
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
