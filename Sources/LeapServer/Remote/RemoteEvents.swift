import LeapJSON

/// Forwards another server's events to a client. Each is forwarded once it is complete, so that an error after it can be
/// reported by an event of its own.
struct RemoteEvents: Sendable {
    /// Whether the forwarded bytes end at the end of an event. If an event is too long to be held, it and everything
    /// after it are forwarded as they arrive.
    private(set) var areWhole = true

    private var held: [UInt8] = []
    /// The start of the incomplete last line.
    private var lineStart = 0
    private var lastData: [UInt8] = []
    private static let longest = 4 << 20
    private static let data = Array("data:".utf8)

    /// Takes some bytes.
    ///
    /// - Returns: The bytes to forward: up to the end of the last complete event.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        guard areWhole else { return Array(bytes) }
        var end = 0
        for byte in bytes {
            held.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            let line = held[lineStart...].dropLast()
            lineStart = held.count
            if line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) { end = lineStart }
            if line.starts(with: Self.data) { lastData = Array(line) }
        }
        if held.count - end > Self.longest { (areWhole, end) = (false, held.count) }
        defer {
            held.removeFirst(end)
            lineStart -= end
        }
        return Array(held[..<end])
    }

    /// The bytes after the last complete event, for a stream that ended properly.
    var rest: [UInt8] { held }

    /// The number of the next event, for a stream with numbered events.
    var nextNumber: Int {
        let last = try? JSONValue(parsing: lastData.dropFirst(Self.data.count))
        return last?["sequence_number"]?.wholeNumber.map { min($0, .max - 1) + 1 } ?? 0
    }
}
