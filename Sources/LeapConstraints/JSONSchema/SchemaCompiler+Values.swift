import LeapJSON
import OrderedCollections

/// Compiles a shape to nodes, one per type that it permits.
extension SchemaCompiler {
    /// - Throws: ``ShapeError/contradiction(_:)`` if the shape permits nothing; anything unenforceable rejects the
    ///   schema.
    func valueNodes(_ shape: SchemaShape) throws(ShapeError) -> [NodeID] {
        for (error, types) in shape.unsupported where !types.isDisjoint(with: shape.types) { throw .refused(error) }
        if let values = shape.values { return try listedValues(values, shape) }
        var nodes: [NodeID] = []
        var conflict: ConstraintError?
        for part in Self.parts(shape.types) {
            do { nodes.append(try judged(try typeNode(part, shape), part, shape)) } catch {
                guard case .contradiction(let found) = error else { throw error }
                conflict = conflict ?? found
            }
        }
        if nodes.isEmpty { throw .contradiction(conflict ?? self.conflict("type", shape, "allows no type")) }
        return nodes
    }

    /// The types that get a node each.
    private static func parts(_ types: SchemaTypes) -> [SchemaTypes] {
        let numbers = types.intersection(.number)
        return [.null, .boolean, numbers, .string, .array, .object].filter { !$0.isEmpty && types.contains($0) }
    }

    private func typeNode(_ type: SchemaTypes, _ shape: SchemaShape) throws(ShapeError) -> NodeID {
        switch type {
        case .null: try literal([.null], shape)
        case .boolean: try literal([.bool(true), .bool(false)], shape)
        case .string: try stringNode(shape)
        case .array: try listNode(shape)
        case .object: try objectNode(shape)
        default: try numberNode(type, shape)
        }
    }

    /// The node with the evaluation of complete values of its type.
    func judged(_ node: NodeID, _ type: SchemaTypes, _ shape: SchemaShape) throws(ShapeError) -> NodeID {
        var ids: [SchemaChecks.ID] = []
        for (id, types) in shape.checks where !types.isDisjoint(with: type) {
            ids.append(try refusing { () throws(ConstraintError) in try check(of: id) })
        }
        return ids.isEmpty ? node : add(.judged(node, ids.map { CheckID(schema: $0) }))
    }

    /// One of several scalar values that are not strings, each with one spelling.
    func literal(_ values: [JSONValue], _ shape: SchemaShape) throws(ShapeError) -> NodeID {
        let left = shape.excluded.isEmpty ? values : values.filter { !shape.excludes($0) }
        guard !left.isEmpty else { throw .contradiction(conflict("not", shape, "excludes every value")) }
        if let known = literalIndex[left] { return add(.automaton(known)) }
        let node = try refusing { () throws(ConstraintError) in
            try spelled(left) { [.text(text(of: $0))] }
        }
        if case .automaton(let index) = nodes[node] { literalIndex[left] = index }
        return node
    }

    /// The number of values that share an automaton: one of all values would exceed the limit.
    private static let valuesPerAutomaton = 1000

    /// Any of several values, by spelling. Values with a common prefix share automata, so that few are left after some
    /// bytes.
    private func spelled(
        _ values: [JSONValue], _ spellings: (JSONValue) -> [Expression]
    ) throws(ConstraintError) -> NodeID {
        let limit = Self.valuesPerAutomaton
        guard values.count > limit else { return try node(.choice(values.flatMap(spellings))) }
        let sorted = values.map { (text: text(of: $0), value: $0) }.sorted { $0.text < $1.text }.map(\.value)
        let parts = try stride(from: 0, to: sorted.count, by: limit).map { start throws(ConstraintError) in
            try node(.choice(sorted[start..<min(start + limit, sorted.count)].flatMap(spellings)))
        }
        return add(.choice(parts))
    }

    /// The spelling of a scalar value that is not a string.
    private func text(of value: JSONValue) -> String {
        reading.spelling == .python ? PythonSpelling.text(of: value) : value.text()
    }

    /// An error about a keyword of the shape, at the keyword's location.
    func conflict(_ keyword: String, _ shape: SchemaShape, _ reason: String) -> ConstraintError {
        let pointer = shape.places[keyword] ?? shape.places.values.min() ?? "#"
        let place = shape.places[keyword] == nil ? pointer : SchemaDocument.child(pointer, keyword)
        return .schema(pointer: place, keyword: keyword, reason: reason)
    }

    func refusing<Result>(_ body: () throws(ConstraintError) -> Result) throws(ShapeError) -> Result {
        do { return try body() } catch { throw .refused(error) }
    }
}

// MARK: - Listed values

extension SchemaCompiler {
    /// `enum` and `const`: the values that all other keywords permit too.
    private func listedValues(_ values: [JSONValue], _ shape: SchemaShape) throws(ShapeError) -> [NodeID] {
        let keyword = shape.places["enum"] == nil ? "const" : "enum"
        let left = try admitted(values, shape)
        guard !left.isEmpty else {
            throw .contradiction(conflict(keyword, shape, "has no value that the rest of the schema permits"))
        }
        var nodes: [NodeID] = []
        let strings = left.compactMap(\.string)
        if !strings.isEmpty { nodes.append(add(.words(SortedWords(strings.map { Array($0.utf8) })))) }
        let scalars = left.filter { $0.string == nil && $0.array == nil && $0.object == nil }
        if !scalars.isEmpty {
            nodes.append(
                try refusing { () throws(ConstraintError) in
                    try spelled(scalars) { spellings(of: $0, shape) }
                })
        }
        let pointer = SchemaDocument.child(shape.places[keyword] ?? "#", keyword)
        for (index, value) in left.enumerated() where value.array != nil || value.object != nil {
            let place = SchemaDocument.child(pointer, "(value \(index))")
            nodes.append(node(for: [document.id(Self.schema(of: value), at: place)]))
        }
        return nodes
    }

    /// The listed values that all other keywords of their shape permit too.
    func admitted(_ values: [JSONValue], _ shape: SchemaShape) throws(ShapeError) -> [JSONValue] {
        var others = shape
        others.values = nil
        return try refusing { () throws(ConstraintError) in
            try values.filterThrowing { value throws(ConstraintError) in try admits(value, others) }
        }
    }

    /// The spellings of a scalar value that is not a string.
    private func spellings(of value: JSONValue, _ shape: SchemaShape) -> [Expression] {
        guard let number = Decimal10(value) else { return [.text(text(of: value))] }
        let mayHavePoint = shape.types.contains(.fraction) || !document.draft.integersHaveNoPoint
        if reading.permitsAnySpelling, mayHavePoint {
            return [NumberExpressions.spellings(of: number), .text(value.text())]
        }
        return (number.int.map { [.text(String($0))] } ?? []) + [.text(value.text())]
    }

    /// The schema of a single list or object, whose whitespace and key order are free.
    private static func schema(of value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements):
            [
                "type": "array", "items": .array(elements.map(schema)), "additionalItems": false,
                "minItems": .integer(elements.count),
            ]
        case .object(let members):
            [
                "type": "object", "properties": .object(members.mapValues(schema)), "additionalProperties": false,
                "required": .array(members.keys.map { .string($0) }),
            ]
        default: ["const": value]
        }
    }
}

extension SchemaShape {
    func excludes(_ value: JSONValue) -> Bool {
        excluded.containsEqual(value)
    }
}
