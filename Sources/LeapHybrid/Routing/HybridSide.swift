/// Who can answer in a ``HybridConversation``.
public enum HybridSide: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model on this machine.
    case local
    /// The model at a server.
    case remote

    /// The other one.
    public var other: HybridSide { self == .local ? .remote : .local }
}

/// What a request may need and a side may be able to do.
public struct HybridCapabilities: OptionSet, Sendable, Hashable {
    /// One bit for each.
    public let rawValue: Int

    /// Makes a set of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Pictures in messages.
    public static let images = HybridCapabilities(rawValue: 1)
    /// Recordings in messages.
    public static let audio = HybridCapabilities(rawValue: 2)
    /// Calling functions.
    public static let tools = HybridCapabilities(rawValue: 4)
    /// Answers that satisfy a JSON Schema.
    public static let schemas = HybridCapabilities(rawValue: 8)
    /// Answers that match a regular expression or a grammar.
    public static let grammars = HybridCapabilities(rawValue: 16)
}

extension HybridCapabilities: CustomStringConvertible {
    private static let names: [(HybridCapabilities, String)] = [
        (.images, "pictures"), (.audio, "recordings"), (.tools, "functions"), (.schemas, "schemas"),
        (.grammars, "expressions and grammars"),
    ]

    /// The names, joined.
    public var description: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
