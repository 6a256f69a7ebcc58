import LeapJSON
import OrderedCollections

/// Objects: the declared keys, and an automaton for all others.
extension SchemaCompiler {
    func objectNode(_ shape: SchemaShape) throws(ShapeError) -> NodeID {
        let object = shape.object
        guard shape.excluded.allSatisfy({ $0.object == nil }) else {
            throw .refused(conflict("not", shape, "cannot exclude individual objects"))
        }
        try check(demand: object.minimum, "minProperties", "properties", shape)
        guard let punctuation else { throw .refused(.unsatisfiable(reason: "no punctuation")) }
        let matcher = try refusing { () throws(ConstraintError) in try keyMatcher(of: object) }
        let declared = declaredNames(object)
        let names = SortedWords(declared.map { Array($0.utf8) })
        var values: [NodeID?] = []
        for name in names.words {
            let ids = ids(of: name, object, matcher)
            values.append(isFalse(ids) || !matcher.permits(name) ? nil : node(for: ids))
        }
        let required = Set(object.required.map { Array($0.utf8) })
        try check(required, values, names, shape)
        let open = try openKeys(object, matcher, names)
        if object.minimum > values.count(where: { $0 != nil }),
            object.minimum - values.count(where: { $0 != nil }) > open?.available ?? 0
        {
            throw .contradiction(conflict("minProperties", shape, "is above the maximum number of properties"))
        }
        let added = add(
            .object(
                ObjectNode(
                    punctuation: punctuation, names: names, values: values,
                    required: names.words.map { required.contains($0) }, order: order(of: declared, object),
                    open: open, minimum: object.minimum, maximum: object.maximum)))
        let keyword = object.required.isEmpty ? "minProperties" : "required"
        demands[added] = conflict(keyword, shape, "requires properties that are nested infinitely or too deeply")
        return added
    }

    /// All declared names, in order; `required` also declares names that are missing in `properties`.
    private func declaredNames(_ object: ObjectShape) -> OrderedSet<String> {
        object.tables.reduce(into: OrderedSet<String>()) { $0.formUnion($1.properties.keys) }.union(object.required)
    }

    /// The order of declared members; nil for any.
    private func order(of declared: OrderedSet<String>, _ object: ObjectShape) -> KeyOrder? {
        // If members are skipped in a fixed order, too few may be left.
        guard reading.keepsOrder, object.minimum <= object.required.count else { return nil }
        return KeyOrder(declared.map { (Array($0.utf8), object.required.contains($0)) })
    }

    /// Whether there may be keys that neither a name nor a pattern declares.
    private func permitsOthers(_ object: ObjectShape) -> Bool {
        if reading.permitsUndeclared || object.asksForOthers || !object.nameSchemas.isEmpty { return true }
        if object.tables.contains(where: { $0.additional != nil }) { return true }
        let declared = declaredNames(object).filter { name in
            object.tables.allSatisfy { $0.properties[name].map { document.schemas[$0].value != false } ?? true }
        }
        if declared.count < object.minimum { return true }
        return declared.isEmpty && object.tables.allSatisfy(\.patterns.isEmpty)
    }

    private func check(
        _ required: Set<[UInt8]>, _ values: [NodeID?], _ names: SortedWords, _ shape: SchemaShape
    ) throws(ShapeError) {
        if let maximum = shape.object.maximum, maximum < max(shape.object.minimum, required.count) {
            throw .contradiction(
                conflict("maxProperties", shape, "is below minProperties or the number of required properties"))
        }
        for (name, value) in zip(names.words, values) where value == nil && required.contains(name) {
            let text = String(decoding: name, as: UTF8.self)
            throw .contradiction(conflict("required", shape, "names '\(text)', which the rest of the schema forbids"))
        }
    }

    private func isFalse(_ ids: [ID]) -> Bool { ids.contains { document.schemas[$0].value == false } }

    /// All subschemas that the value of a key must satisfy.
    private func ids(of name: [UInt8], _ object: ObjectShape, _ matcher: KeyMatcher) -> [ID] {
        let text = String(decoding: name, as: UTF8.self)
        let matches = matcher.patterns.map { $0.accepts(name) }
        return object.tables.enumerated().flatMap { index, table -> [ID] in
            var ids = table.properties[text].map { [$0] } ?? []
            ids += Self.matched(table, matcher.ranges[index], matches)
            return ids.isEmpty ? table.additional.map { [$0] } ?? [] : ids
        }
    }

    private static func matched(_ table: ObjectShape.Table, _ range: Range<Int>, _ matches: [Bool]) -> [ID] {
        zip(table.patterns, range).compactMap { matches[$1] ? $0.id : nil }
    }
}

/// The automata that classify an object's keys.
struct KeyMatcher {
    /// The patterns of all `patternProperties` of all tables.
    var patterns: [ByteAutomaton] = []
    /// Which of `patterns` belong to each table.
    var ranges: [Range<Int>] = []
    /// The names that `propertyNames` permits; nil if there is no such keyword.
    var names: ByteAutomaton?

    func permits(_ name: [UInt8]) -> Bool { names?.accepts(name) ?? true }
}

extension SchemaCompiler {
    /// An automaton that tracks which patterns match grows with each pattern.
    private static let patternLimit = 500

    private func keyMatcher(of object: ObjectShape) throws(ConstraintError) -> KeyMatcher {
        var matcher = KeyMatcher()
        for table in object.tables {
            let start = matcher.patterns.count
            for (text, reader, _) in table.patterns {
                guard matcher.patterns.count < Self.patternLimit else {
                    throw reader.refusal("has more than \(Self.patternLimit) patterns")
                }
                matcher.patterns.append(try bounded(try pattern(text, reader), reader))
            }
            matcher.ranges.append(start..<matcher.patterns.count)
        }
        for id in object.nameSchemas {
            let automaton = try names(id)
            guard automaton != .anyText else { continue }
            do { matcher.names = try matcher.names?.intersection(automaton) ?? automaton } catch {
                throw .tooLarge(
                    what: "states in an automaton for property names", limit: AutomatonLimits.standard.states)
            }
        }
        return matcher
    }

    private func bounded(
        _ texts: [BoundedTexts], _ reader: SchemaReader
    ) throws(ConstraintError) -> ByteAutomaton {
        do { return try texts.bounded() } catch {
            throw reader.refusal("needs an automaton for property names that is too large")
        }
    }

    /// The strings that a `propertyNames` schema permits.
    ///
    /// - Throws: If no automaton can represent them.
    func names(_ id: ID) throws(ConstraintError) -> ByteAutomaton {
        if let known = nameAutomata[id] { return known }
        let automaton = try readNames(id)
        nameAutomata[id] = automaton
        return automaton
    }

    private func readNames(_ id: ID) throws(ConstraintError) -> ByteAutomaton {
        let schema = document.schemas[id]
        let place = schema.pointer.split(separator: "/").dropLast().joined(separator: "/")
        let reader = SchemaReader(pointer: place, keyword: "propertyNames", value: schema.value)
        guard namesInProgress.insert(id).inserted else { throw reader.refusal("refers to itself") }
        defer { namesInProgress.remove(id) }
        let alternatives = try alternatives(of: [id])
        guard !alternatives.isEmpty else { return .nothing }
        guard alternatives.count == 1 else { throw reader.refusal("cannot be enforced if it has alternatives") }
        var shape = try shape(of: alternatives[0].members)
        guard shape.types.contains(.string) else { return .nothing }
        guard shape.checks.allSatisfy({ $0.types.isDisjoint(with: .string) }) else {
            throw reader.refusal("cannot be enforced for property names")
        }
        if let values = shape.values {
            shape.values = nil
            let left = try values.filterThrowing { value throws(ConstraintError) in try admits(value, shape) }
            let texts = left.compactMap(\.string).map { Expression.text($0) }
            do { return try Determinizer.automaton(.choice(texts)) } catch { throw reader.refusal("is too large") }
        }
        return try boundedStrings(shape, reader)
    }

    /// The strings of a shape as one automaton, including the bounds on their length.
    func boundedStrings(_ shape: SchemaShape, _ reader: SchemaReader) throws(ConstraintError) -> ByteAutomaton {
        let strings: [ProfiledTexts]
        do { strings = try self.strings(shape) } catch {
            if case .contradiction = error { return .nothing }
            throw error.refusal
        }
        return try bounded(strings.map(\.texts), reader)
    }

    /// Undeclared keys: an automaton whose states track which patterns match, and therefore which values follow.
    private func openKeys(
        _ object: ObjectShape, _ matcher: KeyMatcher, _ names: SortedWords
    ) throws(ShapeError) -> OpenKeys? {
        let permitsOthers = permitsOthers(object)
        if matcher.patterns.isEmpty { return permitsOthers ? try uniformKeys(object, matcher.names, names) : nil }
        let factors = [matcher.names ?? .anyText] + matcher.patterns
        let product: AutomatonProduct
        do { product = try AutomatonProduct(factors, mayDie: true) } catch {
            throw .refused(
                .tooLarge(what: "states in an automaton for property names", limit: AutomatonLimits.standard.states))
        }
        let (automaton, values) = product.labelled { accepted -> NodeID? in
            let matches = Array(accepted.dropFirst())
            guard accepted[0], permitsOthers || matches.contains(true) else { return nil }
            let ids = object.tables.enumerated().flatMap { index, table -> [ID] in
                let matched = Self.matched(table, matcher.ranges[index], matches)
                return matched.isEmpty ? table.additional.map { [$0] } ?? [] : matched
            }
            return self.isFalse(ids) ? nil : self.node(for: ids)
        }
        guard !automaton.isEmpty else { return nil }
        let index = try refusing { () throws(ConstraintError) in try addAutomaton(automaton) }
        return OpenKeys(
            automaton: index, values: values, distinctValues: Set(values.compactMap { $0 }).sorted(),
            textCounts: automaton.textCounts, claimed: claimed(names, by: automaton), isAnyText: false)
    }

    /// Keys to which no pattern applies: all have the same kind of value.
    ///
    /// - Parameter permitted: The permitted keys; nil for any text, whose automaton is the first in the grammar.
    private func uniformKeys(
        _ object: ObjectShape, _ permitted: ByteAutomaton?, _ names: SortedWords
    ) throws(ShapeError) -> OpenKeys? {
        let ids = object.tables.compactMap(\.additional)
        guard !isFalse(ids), permitted?.isEmpty != true else { return nil }
        let value = node(for: ids)
        let index = try permitted.map { automaton throws(ShapeError) in
            try refusing { () throws(ConstraintError) in try addAutomaton(automaton) }
        }
        let automaton = permitted ?? .anyText
        return OpenKeys(
            automaton: index ?? 0, values: automaton.accepting.map { $0 ? value : nil }, distinctValues: [value],
            textCounts: permitted?.textCounts ?? Self.endless, claimed: claimed(names, by: automaton),
            isAnyText: permitted == nil)
    }

    private static let endless = [UInt32](repeating: .max, count: ByteAutomaton.anyText.stateCount)

    private func claimed(_ names: SortedWords, by automaton: ByteAutomaton) -> [Int32] {
        var sums: [Int32] = [0]
        for name in names.words { sums.append((sums.last ?? 0) + (automaton.accepts(name) ? 1 : 0)) }
        return sums
    }
}
