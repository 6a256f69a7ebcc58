/// A side of a ``HybridConversation`` that can answer.
public enum HybridSide: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model on this machine.
    case local
    /// The model on a server.
    case remote

    /// The other side.
    public var other: HybridSide { self == .local ? .remote : .local }
}

/// Capabilities that a request may need and a side may have.
public struct HybridCapabilities: OptionSet, Sendable, Hashable {
    /// The capabilities as bits.
    public let rawValue: Int

    /// Creates a set from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Images in messages.
    public static let images = HybridCapabilities(rawValue: 1)
    /// Audio in messages.
    public static let audio = HybridCapabilities(rawValue: 2)
    /// Function calls.
    public static let tools = HybridCapabilities(rawValue: 4)
    /// Answers that satisfy a JSON Schema.
    public static let schemas = HybridCapabilities(rawValue: 8)
    /// Answers that match a regular expression or a grammar.
    public static let grammars = HybridCapabilities(rawValue: 16)
}

extension HybridCapabilities: CustomStringConvertible {
    private static let names: [(HybridCapabilities, String)] = [
        (.images, "images"), (.audio, "audio"), (.tools, "functions"), (.schemas, "JSON Schemas"),
        (.grammars, "regular expressions and grammars"),
    ]

    /// The names of the capabilities, joined.
    public var description: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
