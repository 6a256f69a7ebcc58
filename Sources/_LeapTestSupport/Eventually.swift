/// A condition did not come true while a test waited for it.
public struct NeverTrue: Error, CustomStringConvertible {
    let place: String
    let patience: Duration

    /// Where the test waited, and how long.
    public var description: String { "\(place): the condition did not come true within \(patience)" }
}

/// Waits until a condition holds.
///
/// - Parameters:
///   - patience: How long to wait; by default enough for a busy machine.
///   - duration: How long the condition must have held, as far as a look every millisecond can tell.
/// - Throws: ``NeverTrue`` if it does not come true, or what the condition throws.
public nonisolated(nonsending) func eventually(
    within patience: Duration = .seconds(180), holdingFor duration: Duration = .zero, file: StaticString = #fileID,
    line: Int = #line, _ condition: nonisolated(nonsending) () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + patience
    var since = ContinuousClock.now
    while true {
        if try await !condition() { since = .now } else if .now - since >= duration { return }
        guard .now < deadline else { throw NeverTrue(place: "\(file):\(line)", patience: patience) }
        try await Task.sleep(for: .milliseconds(1))
    }
}
