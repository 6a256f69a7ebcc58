/// Texts accepted by an automaton, with bounds on their length.
struct BoundedTexts: Sendable {
    let automaton: ByteAutomaton
    var minimum = 0
    var maximum: Int?

    func accepts(_ text: String) -> Bool {
        if minimum > 0 || maximum != nil {
            let count = text.unicodeScalars.count
            guard count >= minimum, count <= maximum ?? .max else { return false }
        }
        return automaton.accepts(text.utf8)
    }

    func intersection(_ other: BoundedTexts) throws(AutomatonError) -> BoundedTexts {
        BoundedTexts(
            automaton: try automaton.intersection(other.automaton), minimum: max(minimum, other.minimum),
            maximum: [maximum, other.maximum].compactMap(\.self).min())
    }

    /// The automaton with the bounds on the length encoded in its states.
    func bounded() throws(AutomatonError) -> ByteAutomaton {
        guard minimum > 0 || maximum != nil else { return automaton }
        return try automaton.bounded(minimum: minimum, maximum: maximum)
    }
}

extension [BoundedTexts] {
    /// Whether any of them accepts the text.
    func accepts(_ text: String) -> Bool { contains { $0.accepts(text) } }

    /// The union of their texts as one automaton.
    func bounded() throws(AutomatonError) -> ByteAutomaton {
        let automata = try map { texts throws(AutomatonError) in try texts.bounded() }
        if automata.count == 1 { return automata[0] }
        return try AutomatonProduct(automata, mayDie: true).automaton { $0.contains(true) }
    }
}
