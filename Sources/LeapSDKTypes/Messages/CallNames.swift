/// Ids for the calls of a history: servers need them, but calls in LeapSDK have none. They are derived from the calls'
/// positions, so that they are the same every time. Results get the ids of the calls before them, in order.
package struct CallNames: Sendable {
    /// The calls that have no result yet.
    package private(set) var open: [String] = []
    private var last: String?
    private var place = 0

    /// Starts at the first message of a history.
    package init() {}

    /// Returns the ids for the next message: those of its calls, or that of the call whose result it is.
    package mutating func next(_ message: ChatMessage) -> [String] {
        defer { place += 1 }
        if message.role == .tool {
            if !open.isEmpty { last = open.removeFirst() }
            return last.map { [$0] } ?? []
        }
        let calls = message.role == .assistant ? message.functionCalls ?? [] : []
        open = calls.indices.map { "call_\(place)_\($0)" }
        return open
    }
}
