/// Whether a value satisfies a schema, as far as that is known.
///
/// If implementations disagree, as about formats, or evaluation would take too long, the result is unknown. So the
/// negation of a schema can be enforced too: a value that is not known to be valid is not thereby invalid. Source:
/// Kleene 1938, three-valued logic.
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

    /// Whether the number of true ones lies within the bounds.
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
