import LeapChat
import OrderedCollections

/// `oneOf`: accepted only where no value can satisfy two of its branches.
extension SchemaCompiler {
    /// - Throws: When two alternatives that differ in a `oneOf` may both hold for one value.
    func checkExclusive(
        _ alternatives: [SchemaExpansion.Alternative], _ shapes: [SchemaShape]
    ) throws(ConstraintError) {
        guard alternatives.contains(where: { !$0.choices.isEmpty }) else { return }
        for (index, alternative) in alternatives.enumerated() {
            for other in alternatives.indices.dropFirst(index + 1) {
                let others = alternatives[other].choices
                guard let group = alternative.choices.first(where: { (others[$0.key] ?? $0.value) != $0.value }) else {
                    continue
                }
                guard !(try areDisjoint(shapes[index], shapes[other], depth: 0)) else { continue }
                let branches = [group.value, alternatives[other].choices[group.key] ?? 0].sorted()
                throw .schema(
                    pointer: document.schemas[group.key].pointer, keyword: "oneOf",
                    reason: "cannot be enforced: branches \(branches[0]) and \(branches[1]) may hold for the same value")
            }
        }
    }

    private static let depthLimit = 6

    /// Whether surely no value satisfies both.
    private func areDisjoint(_ a: SchemaShape, _ b: SchemaShape, depth: Int) throws(ConstraintError) -> Bool {
        if let values = a.values ?? b.values {
            for value in values where try admits(value, a) {
                if try admits(value, b) { return false }
            }
            return true
        }
        for type in [SchemaTypes.null, .boolean, .number, .string, .array, .object]
        where !a.types.isDisjoint(with: type) && !b.types.isDisjoint(with: type) {
            switch type {
            case .number: guard areDisjoint(a, b, numbers: a.types.intersection(b.types)) else { return false }
            case .string: guard try areDisjoint(strings: a, b) else { return false }
            case .array: guard try areDisjoint(a.list, b.list, depth: depth) else { return false }
            case .object: guard try areDisjoint(a.object, b.object, depth: depth) else { return false }
            default: return false
            }
        }
        return true
    }

    private func areDisjoint(_ a: [ID], _ b: [ID], depth: Int) throws(ConstraintError) -> Bool {
        guard depth < Self.depthLimit else { return false }
        let (first, second) = (try alternatives(of: a), try alternatives(of: b))
        for left in first {
            for right in second {
                let (leftShape, rightShape) = (try shape(of: left.members), try shape(of: right.members))
                guard try areDisjoint(leftShape, rightShape, depth: depth + 1) else { return false }
            }
        }
        return true
    }

    private func areDisjoint(_ a: SchemaShape, _ b: SchemaShape, numbers: SchemaTypes) -> Bool {
        if numbers.isDisjoint(with: .number) { return true }
        func below(_ upper: NumberShape.Bound?, _ lower: NumberShape.Bound?) -> Bool {
            guard let upper, let lower else { return false }
            return upper.value < lower.value || (upper.value == lower.value && (upper.isStrict || lower.isStrict))
        }
        return below(a.number.maximum, b.number.minimum) || below(b.number.maximum, a.number.minimum)
    }

    private func areDisjoint(strings a: SchemaShape, _ b: SchemaShape) throws(ConstraintError) -> Bool {
        if let maximum = a.string.maximum, maximum < b.string.minimum { return true }
        if let maximum = b.string.maximum, maximum < a.string.minimum { return true }
        var both = SchemaShape()
        both.string = a.string
        both.string.patterns += b.string.patterns
        both.string.formats += b.string.formats
        both.string.minimum = max(a.string.minimum, b.string.minimum)
        both.string.maximum = a.string.maximum.map { min($0, b.string.maximum ?? $0) } ?? b.string.maximum
        both.excluded = a.excluded + b.excluded
        do {
            _ = try stringNode(both)
            return false
        } catch {
            if case .contradiction = error { return true }
            return false
        }
    }

    private func areDisjoint(_ a: ListShape, _ b: ListShape, depth: Int) throws(ConstraintError) -> Bool {
        if let maximum = a.maximum, maximum < b.minimum { return true }
        if let maximum = b.maximum, maximum < a.minimum { return true }
        // An item that both must have, but on which they never agree.
        for index in 0..<min(max(a.minimum, b.minimum), 16) {
            func ids(_ list: ListShape) -> [ID] {
                list.tables.compactMap { index < $0.prefix.count ? $0.prefix[index] : $0.rest }
            }
            if try areDisjoint(ids(a), ids(b), depth: depth) { return true }
        }
        return false
    }

    private func areDisjoint(_ a: ObjectShape, _ b: ObjectShape, depth: Int) throws(ConstraintError) -> Bool {
        if let maximum = a.maximum, maximum < max(b.minimum, b.required.count) { return true }
        if let maximum = b.maximum, maximum < max(a.minimum, a.required.count) { return true }
        // A key that one of them demands, but on whose value they never agree.
        for key in a.required.union(b.required) {
            let (left, right) = (try ids(of: key, a), try ids(of: key, b))
            if (left + right).contains(where: { document.schemas[$0].value == false }) { return true }
            if try areDisjoint(left, right, depth: depth) { return true }
        }
        return false
    }

    private func ids(of key: String, _ object: ObjectShape) throws(ConstraintError) -> [ID] {
        var result: [ID] = []
        for table in object.tables {
            var ids = table.properties[key].map { [$0] } ?? []
            for (text, reader, id) in table.patterns where try pattern(text, reader).automaton.accepts(key.utf8) {
                ids.append(id)
            }
            result += ids.isEmpty ? table.additional.map { [$0] } ?? [] : ids
        }
        return result
    }
}
