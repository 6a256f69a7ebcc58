#if Macros
import SwiftSyntax

/// A property's type, as far as its source text shows.
struct ValueType: Sendable {
    indirect enum Kind: Sendable {
        case string, integer, number, boolean
        /// Dates, identifiers, data: values with one form of their own.
        case formatted
        case array(ValueType)
        case set(ValueType)
        case dictionary(ValueType)
        case optional(ValueType)
        /// A type that only the compiler can resolve.
        case named
    }

    let kind: Kind
    /// The type as it is written, without comments.
    let text: String

    /// The type beneath optionals.
    var unwrapped: ValueType {
        if case .optional(let wrapped) = kind { wrapped.unwrapped } else { self }
    }

    /// The type of a value that is being written.
    var partial: String {
        switch kind {
        case .string, .integer, .number, .boolean, .formatted: text
        case .array(let element), .set(let element): "[\(element.partial)]"
        case .dictionary(let value): "[String: \(value.partial)]"
        case .optional(let wrapped): "\(wrapped.partial)?"
        case .named: "\(text).PartiallyGenerated"
        }
    }

    init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// The type of one of the standard names.
    init(named name: String) {
        self.init(kind: Self.known[name] ?? .named, text: name)
    }

    private static let known: [String: Kind] = {
        var kinds: [String: Kind] = ["String": .string, "Bool": .boolean]
        for name in ["Int", "UInt"] {
            for width in ["", "8", "16", "32", "64"] { kinds[name + width] = .integer }
        }
        for name in ["Float", "Double", "CGFloat", "Decimal"] { kinds[name] = .number }
        for name in ["Date", "URL", "UUID", "Data"] { kinds[name] = .formatted }
        return kinds
    }()
}
#endif
