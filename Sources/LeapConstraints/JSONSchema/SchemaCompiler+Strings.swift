import LeapJSON
import OrderedCollections

/// Strings: an automaton over their content, and bounds on its length.
extension SchemaCompiler {
    /// Repetitions of one character up to this count are unrolled into states; larger ones are counted.
    private static let unrolledRepetitions = 8

    func stringNode(_ shape: SchemaShape) throws(ShapeError) -> NodeID {
        let strings = try strings(shape)
        let demand = strings.map(\.texts.minimum).min() ?? 0
        try check(demand: demand, demand > shape.string.minimum ? "pattern" : "minLength", "characters", shape)
        var parts: [NodeID] = []
        for (texts, profile) in strings {
            let content = try refusing { () throws(ConstraintError) in
                texts.automaton == .anyText ? 0 : try addAutomaton(texts.automaton)
            }
            parts.append(
                add(
                    .string(
                        StringNode(
                            content: content, minimum: texts.minimum, maximum: texts.maximum, profile: profile))))
        }
        return parts.count == 1 ? parts[0] : add(.choice(parts))
    }

    typealias ProfiledTexts = (texts: BoundedTexts, profile: LengthProfile?)

    /// The strings of a shape; there is at least one.
    func strings(_ shape: SchemaShape) throws(ShapeError) -> [ProfiledTexts] {
        let contents = try contents(shape)
        if contents.allSatisfy({ $0.minimum > $0.maximum ?? .max }) {
            throw .contradiction(conflict("maxLength", shape, "is below minLength"))
        }
        var result: [ProfiledTexts] = []
        for texts in contents where !texts.automaton.isEmpty {
            guard texts.minimum > 0 || texts.maximum != nil, !texts.automaton.isRepetition else {
                result.append((texts, nil))
                continue
            }
            let profile: LengthProfile
            do { profile = try LengthProfile(texts.automaton, maximum: texts.maximum) } catch {
                throw .refused(conflict("pattern", shape, "is too complex in combination with length limits"))
            }
            if profile.reachesEnd(from: ByteAutomaton.start, minimum: texts.minimum, maximum: texts.maximum) {
                result.append((texts, profile))
            }
        }
        if result.isEmpty {
            let keyword = shape.string.patterns.isEmpty ? "format" : "pattern"
            throw .contradiction(conflict(keyword, shape, "allows no string"))
        }
        return result
    }

    /// The most alternatives with bounds on the length that several patterns may leave.
    private static let contentLimit = 16

    /// The strings that patterns, formats and exclusions leave.
    private func contents(_ shape: SchemaShape) throws(ShapeError) -> [BoundedTexts] {
        var contents = [
            BoundedTexts(automaton: .anyText, minimum: shape.string.minimum, maximum: shape.string.maximum)
        ]
        func intersect(_ others: [BoundedTexts], _ keyword: String) throws(ShapeError) {
            do {
                contents = try contents.flatMapThrowing { content throws(AutomatonError) in
                    try others.map { other throws(AutomatonError) in try content.intersection(other) }
                }
                guard contents.count <= Self.contentLimit else { throw AutomatonError.tooLarge }
            } catch { throw .refused(conflict(keyword, shape, "needs an automaton that is too large")) }
        }
        for (text, reader) in shape.string.patterns {
            try intersect(
                try refusing { () throws(ConstraintError) in try self.pattern(text, reader) }, "pattern")
        }
        for (name, reader) in shape.string.formats {
            guard let format = Formats.definition(name) else { continue }
            let automaton = try refusing { () throws(ConstraintError) in try self.format(format, reader) }
            try intersect([BoundedTexts(automaton: automaton, maximum: format.maximumLength)], "format")
        }
        if let reader = shape.string.excludedPatterns.first?.reader {
            let texts = shape.string.excludedPatterns.map(\.text)
            let complement = try refusing { () throws(ConstraintError) in try self.complement(texts, reader) }
            try intersect([BoundedTexts(automaton: complement)], SchemaNegation.excludedPattern)
        }
        let excluded = shape.excluded.compactMap(\.string)
        if !excluded.isEmpty {
            let automaton: ByteAutomaton
            do { automaton = try Determinizer.automaton(.choice(excluded.map { .text($0) })).complement() } catch {
                throw .refused(conflict("not", shape, "needs an automaton that is too large"))
            }
            try intersect([BoundedTexts(automaton: automaton)], "not")
        }
        return contents
    }

    /// Rejects a required length that no text of a reasonable size can have.
    func check(demand: Int, _ keyword: String, _ what: String, _ shape: SchemaShape) throws(ShapeError) {
        guard let limit = limits.demands, demand > limit else { return }
        // A count that was clamped is not the one that is written.
        let number = demand < SchemaReader.countLimit ? "\(demand)" : "too many"
        throw .refused(conflict(keyword, shape, "requires \(number) \(what), but at most \(limit) are supported"))
    }

    /// A pattern matches anywhere in a string. One that only counts characters of a single kind becomes bounds.
    func pattern(_ text: String, _ reader: SchemaReader) throws(ConstraintError) -> [BoundedTexts] {
        let bytes = Array(text.utf8)
        if let known = patterns[bytes] { return known }
        let search: SearchPattern
        do { search = try SearchPattern(text) } catch {
            throw reader.refusal("is invalid or unsupported at character \(error.position + 1): \(error.reason)")
        }
        do {
            let pattern = try Self.pattern(search)
            patterns[bytes] = pattern
            return pattern
        } catch { throw reader.refusal("needs an automaton that is too large") }
    }

    /// The texts as one automaton, unless bounds on the length of some alternatives make it too large.
    static func pattern(_ search: SearchPattern) throws(AutomatonError) -> [BoundedTexts] {
        guard let expression = search.expression else {
            let parts = try search.alternatives.map { part throws(AutomatonError) in
                BoundedTexts(automaton: try automaton(part), minimum: part.minimum, maximum: part.maximum)
            }
            guard parts.count > 1, let joined = try? parts.bounded() else { return parts }
            return [BoundedTexts(automaton: joined)]
        }
        if case .sequence(let parts) = expression, parts.count == 1,
            case .repetition(.scalars(let set), let minimum, let maximum) = parts[0],
            max(maximum ?? 0, minimum) > unrolledRepetitions
        {
            let automaton = try Determinizer.automaton(.any(.scalars(set)))
            return [BoundedTexts(automaton: automaton, minimum: minimum, maximum: maximum)]
        }
        return [BoundedTexts(automaton: try Determinizer.automaton(expression))]
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

    /// The strings that none of the patterns matches.
    private func complement(_ texts: [String], _ reader: SchemaReader) throws(ConstraintError) -> ByteAutomaton {
        var numbers: Set<Int> = []
        for text in texts {
            _ = try pattern(text, reader)
            if let number = patterns.index(forKey: Array(text.utf8)) { numbers.insert(number) }
        }
        do { return try complement(numbers.sorted()[...]) } catch {
            throw reader.refusal("needs an automaton that is too large")
        }
    }

    /// Automata with more states are not cached.
    private static let keptStates = 2000

    /// Each branch of a `oneOf` excludes the patterns of all others. They are combined by halves, split where indices
    /// differ in a bit, so that branches share most halves.
    private func complement(_ numbers: ArraySlice<Int>) throws(AutomatonError) -> ByteAutomaton {
        guard let first = numbers.first, let last = numbers.last else { return .anyText }
        if let known = complements[numbers] { return known }
        let result: ByteAutomaton
        if first == last {
            result = try patterns.values[first].bounded().complement()
        } else {
            let bit = 1 << (Int.bitWidth - 1 - (first ^ last).leadingZeroBitCount)
            let middle = numbers.firstIndex { $0 & bit != 0 } ?? numbers.endIndex
            result = try complement(numbers[..<middle]).intersection(try complement(numbers[middle...]))
        }
        if result.stateCount <= Self.keptStates { complements[numbers] = result }
        return result
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
