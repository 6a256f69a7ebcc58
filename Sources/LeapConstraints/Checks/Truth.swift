/// Whether a value satisfies a schema, as far as is known.
///
/// If implementations disagree, as about formats, or an answer would take too long, the result is unknown. So the
/// negation of a schema can be enforced as well: what is not known to be valid is not therefore invalid.
/// Source: Kleene 1938, the logic of three values.
enum Truth: Sendable {
    case no
    case unknown
    case yes

    init(_ flag: Bool) { self = flag ? .yes : .no }

    static prefix func ! (truth: Truth) -> Truth {
        switch truth {
        case .no: .yes
        case .unknown: .unknown
        case .yes: .no
        }
    }

    /// Whether all are true.
    static func all<Elements: Sequence>(_ elements: Elements, _ holds: (Elements.Element) -> Truth) -> Truth {
        var result = Truth.yes
        for element in elements {
            switch holds(element) {
            case .no: return .no
            case .unknown: result = .unknown
            case .yes: break
            }
        }
        return result
    }

    /// Whether any is true.
    static func any<Elements: Sequence>(_ elements: Elements, _ holds: (Elements.Element) -> Truth) -> Truth {
        !all(elements) { !holds($0) }
    }

    /// Whether the number of true ones is within the bounds.
    static func count<Elements: Sequence>(
        of elements: Elements, minimum: Int, maximum: Int?, _ holds: (Elements.Element) -> Truth
    ) -> Truth {
        var (certain, possible) = (0, 0)
        for element in elements {
            let truth = holds(element)
            if truth != .no { possible += 1 }
            if truth == .yes { certain += 1 }
        }
        if possible < minimum || certain > maximum ?? .max { return .no }
        return certain >= minimum && possible <= maximum ?? .max ? .yes : .unknown
    }
}
