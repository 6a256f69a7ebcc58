/// Receives a side's responses, unless they are too late.
struct SideOutput: Sendable {
    let first: FirstToken
    let deliver: @Sendable (HybridResponse) -> Void

    /// The side has begun to answer, with something that cannot be delivered yet.
    ///
    /// - Throws: `CancellationError` if it is too late.
    func begin() throws {
        try first.begin()
    }

    /// Delivers a response.
    ///
    /// - Throws: `CancellationError` if it is too late.
    func emit(_ response: HybridResponse) throws {
        try first.arrive()
        deliver(response)
    }
}
