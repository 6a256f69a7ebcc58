/// Something that happens once and is waited for; a test's time limit ends the waiting.
actor Signal {
    private var isSet = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func set() {
        isSet = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func wait() async {
        if isSet { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
