public import Foundation

/// A request that a ``ScriptedServer`` has received.
public struct ServerRequest: Hashable, Sendable {
    /// `GET`, `HEAD`, ….
    public let method: String
    /// The path with its query.
    public let target: String
    /// Header fields by lower-case name; the last of equal ones counts.
    public let headers: [String: String]
    /// The body.
    public var body: Data

    /// The path without its query.
    public var path: String { target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? target }

    /// The query's values.
    public var query: [String: String] {
        let items = URLComponents(string: target)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    /// The first byte of a `Range: bytes=N-`, if there is one.
    public var rangeStart: Int? {
        guard let range = headers["range"], range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        return Int(range.dropFirst(6).dropLast())
    }

    /// Parses a request head without its final empty line; nil if it is invalid.
    init?(head: String) {
        let lines = head.split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count == 3 else { return nil }
        method = String(first[0])
        target = String(first[1])
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        self.headers = headers
        body = Data()
    }
}
