import LeapJSON
import OrderedCollections

/// Strings: an automaton over their content, and bounds on its length.
extension SchemaCompiler {
    /// Repetitions of one character up to this are states; beyond, they are counted.
    private static let unrolledRepetitions = 8

    func stringNode(_ shape: SchemaShape) throws(ShapeError) -> NodeID {
        var (minimum, maximum) = (shape.string.minimum, shape.string.maximum)
        let content = try content(shape, &minimum, &maximum)
        if let maximum, maximum < minimum {
            throw .contradiction(conflict("maxLength", shape, "is below minLength"))
        }
        try check(demand: minimum, minimum > shape.string.minimum ? "pattern" : "minLength", "characters", shape)
        var string = StringNode(content: 0, minimum: minimum, maximum: maximum)
        guard let content else { return add(.string(string)) }
        if string.isBounded, !content.isRepetition {
            do { string.profile = try LengthProfile(content, maximum: maximum) } catch {
                throw .refused(conflict("pattern", shape, "is too complex together with bounds on the length"))
            }
        }
        guard
            !content.isEmpty,
            string.profile?.reachesEnd(from: ByteAutomaton.start, minimum: minimum, maximum: maximum) ?? true
        else {
            let keyword = shape.string.patterns.isEmpty ? "format" : "pattern"
            throw .contradiction(conflict(keyword, shape, "leaves no string"))
        }
        let index = try refusing { () throws(ConstraintError) in try addAutomaton(content) }
        string = StringNode(content: index, minimum: minimum, maximum: maximum, profile: string.profile)
        return add(.string(string))
    }

    /// What patterns, formats and exclusions leave; nil when there are none.
    private func content(
        _ shape: SchemaShape, _ minimum: inout Int, _ maximum: inout Int?
    ) throws(ShapeError) -> ByteAutomaton? {
        var content: ByteAutomaton?
        func intersect(_ automaton: ByteAutomaton, _ keyword: String) throws(ShapeError) {
            do { content = try content?.intersection(automaton) ?? automaton } catch {
                throw .refused(conflict(keyword, shape, "makes an automaton that is too large"))
            }
        }
        for (text, reader) in shape.string.patterns {
            let pattern = try refusing { () throws(ConstraintError) in try self.pattern(text, reader) }
            minimum = max(minimum, pattern.minimum)
            maximum = pattern.maximum.map { min($0, maximum ?? $0) } ?? maximum
            try intersect(pattern.automaton, "pattern")
        }
        for (name, reader) in shape.string.formats {
            guard let format = Formats.definition(name) else { continue }
            maximum = format.maximumLength.map { min($0, maximum ?? $0) } ?? maximum
            try intersect(
                try refusing { () throws(ConstraintError) in try self.format(format, reader) }, "format")
        }
        for (text, reader) in shape.string.excludedPatterns {
            let complement = try refusing { () throws(ConstraintError) in try self.complement(text, reader) }
            try intersect(complement, SchemaNegation.excludedPattern)
        }
        let excluded = shape.excluded.compactMap(\.string)
        if !excluded.isEmpty {
            do {
                let automaton = try Determinizer.automaton(.choice(excluded.map { .text($0) })).complement()
                try intersect(automaton, "not")
            } catch let error as ShapeError { throw error } catch {
                throw .refused(conflict("not", shape, "makes an automaton that is too large"))
            }
        }
        return content
    }

    /// Refuses a demand that no text of a reasonable length meets.
    func check(demand: Int, _ keyword: String, _ what: String, _ shape: SchemaShape) throws(ShapeError) {
        guard let limit = limits.demands, demand > limit else { return }
        throw .refused(conflict(keyword, shape, "demands \(demand) \(what), and at most \(limit) can be demanded"))
    }

    struct Pattern {
        let automaton: ByteAutomaton
        var minimum = 0
        var maximum: Int?

        /// Whether a whole string matches, its length included.
        func matches(_ text: String) -> Bool {
            let count = text.unicodeScalars.count
            return count >= minimum && count <= maximum ?? .max && automaton.accepts(text.utf8)
        }

        /// The automaton with the texts' lengths bounded, by states.
        func bounded() throws(AutomatonError) -> ByteAutomaton {
            guard minimum > 0 || maximum != nil else { return automaton }
            return try automaton.bounded(minimum: minimum, maximum: maximum)
        }
    }

    /// A pattern matches anywhere in a string. One that is nothing but a count of one kind of character is bounds.
    func pattern(_ text: String, _ reader: SchemaReader) throws(ConstraintError) -> Pattern {
        let bytes = Array(text.utf8)
        if let known = patterns[bytes] { return known }
        let search: SearchPattern
        do { search = try SearchPattern(text) } catch {
            throw reader.refusal("is refused at character \(error.position + 1): \(error.reason)")
        }
        do {
            let pattern = try Self.pattern(search)
            patterns[bytes] = pattern
            return pattern
        } catch { throw reader.refusal("makes an automaton that is too large") }
    }

    static func pattern(_ search: SearchPattern) throws(AutomatonError) -> Pattern {
        guard let expression = search.expression else {
            let parts = try search.alternatives.map { part throws(AutomatonError) in
                Pattern(automaton: try automaton(part), minimum: part.minimum, maximum: part.maximum)
            }
            if parts.count == 1 { return parts[0] }
            let automata = try parts.map { part throws(AutomatonError) in try part.bounded() }
            return Pattern(automaton: try AutomatonProduct(automata, mayDie: true).automaton { $0.contains(true) })
        }
        if case .sequence(let parts) = expression, parts.count == 1,
            case .repetition(.scalars(let set), let minimum, let maximum) = parts[0],
            max(maximum ?? 0, minimum) > unrolledRepetitions
        {
            let automaton = try Determinizer.automaton(.any(.scalars(set)))
            return Pattern(automaton: automaton, minimum: minimum, maximum: maximum)
        }
        return Pattern(automaton: try Determinizer.automaton(expression))
    }

    private static func automaton(_ part: SearchPattern.Alternative) throws(AutomatonError) -> ByteAutomaton {
        var result = try Determinizer.automaton(part.whole)
        for expression in part.required {
            result = try result.intersection(try Determinizer.automaton(expression))
        }
        for expression in part.excluded {
            result = try result.intersection(try Determinizer.automaton(expression).complement())
        }
        return result
    }

    /// The strings in which a pattern is nowhere.
    private func complement(_ text: String, _ reader: SchemaReader) throws(ConstraintError) -> ByteAutomaton {
        let pattern = try pattern(text, reader)
        do { return try pattern.bounded().complement() } catch {
            throw reader.refusal("makes an automaton that is too large")
        }
    }

    func format(_ format: Formats.Definition, _ reader: SchemaReader) throws(ConstraintError) -> ByteAutomaton {
        do {
            return try SharedAutomata.automaton(.format(format)) { () throws(AutomatonError) in
                let automaton = try Self.automaton(of: format.pattern)
                return try format.lengths.map { lengths throws(AutomatonError) in
                    try automaton.intersection(try Self.automaton(of: lengths))
                } ?? automaton
            }
        } catch { throw reader.refusal("cannot be enforced") }
    }

    private static func automaton(of text: String) throws(AutomatonError) -> ByteAutomaton {
        guard let expression = try? RegexParser.parse(text) else { throw .tooLarge }
        return try Determinizer.automaton(expression)
    }
}
