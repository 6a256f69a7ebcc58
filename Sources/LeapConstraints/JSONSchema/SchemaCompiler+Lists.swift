import LeapJSON

/// Arrays: the items at each index, and their number.
extension SchemaCompiler {
    func listNode(_ shape: SchemaShape) throws(ShapeError) -> NodeID {
        let list = shape.list
        guard shape.excluded.allSatisfy({ $0.array == nil }) else {
            throw .refused(conflict("not", shape, "cannot exclude individual arrays"))
        }
        if let maximum = list.maximum, maximum < list.minimum {
            throw .contradiction(conflict("maxItems", shape, "is below minItems"))
        }
        try check(demand: list.minimum, "minItems", "items", shape)
        guard let punctuation else { throw .refused(.unsatisfiable(reason: "no punctuation")) }
        let isUnique = list.isUnique && list.maximum.map { $0 > 1 } ?? true
        if isUnique, let set = try setNode(shape, punctuation) { return set }
        let length = list.tables.map(\.prefix.count).max() ?? 0
        func ids(_ index: Int) -> [ID] {
            list.tables.compactMap { index < $0.prefix.count ? $0.prefix[index] : $0.rest }
        }
        // Indices beyond the last one that can be filled are never queried.
        let used = min(length, list.maximum ?? length)
        let prefix = (0..<used).map { node(for: ids($0)) }
        let rest = ids(length)
        let spelledOnce = isUnique && length == 0 ? try listedItems(rest) : nil
        let isClosed = rest.contains { document.schemas[$0].value == false }
        if isClosed, list.minimum > length {
            throw .contradiction(conflict("minItems", shape, "is above the maximum number of items"))
        }
        let added = add(
            .list(
                ListNode(
                    punctuation: punctuation, prefix: prefix, rest: isClosed ? nil : spelledOnce ?? node(for: rest),
                    minimum: list.minimum, maximum: list.maximum, isUnique: isUnique)))
        let demand =
            isUnique
            ? "requires more distinct items than there are, or items that are nested too deeply"
            : "requires items that are nested infinitely or too deeply"
        demands[added] = conflict("minItems", shape, demand)
        if let contained = list.contained {
            demands[added] = conflict(
                "contains", shape,
                "matches none of the possible items, or allows fewer matching items than are required")
            pendingContained.append((added, contained, (0..<used).map(ids), isClosed ? nil : rest))
        }
        return added
    }

    /// `uniqueItems` for strings: the keys of an object without values; nil for items of other kinds.
    private func setNode(_ shape: SchemaShape, _ punctuation: Punctuation) throws(ShapeError) -> NodeID? {
        let list = shape.list
        guard list.tables.allSatisfy({ $0.prefix.isEmpty }), !list.tables.isEmpty else { return nil }
        guard let item = try onlyShape(of: list.tables.compactMap(\.rest)) else { return nil }
        let nothing = try refusing { () throws(ConstraintError) in try node(.empty) }
        if let values = item.values {
            guard values.allSatisfy({ $0.string != nil }) else { return nil }
            let left = try admitted(values, item)
            let words = SortedWords(left.compactMap(\.string).map { Array($0.utf8) })
            return set(
                ObjectNode(
                    punctuation: punctuation, isArray: true, names: words,
                    values: words.words.map { _ in nothing }, required: words.words.map { _ in false }, open: nil,
                    minimum: list.minimum, maximum: list.maximum), shape)
        }
        guard item.types == .string, item.unsupported.isEmpty, item.checks.isEmpty else { return nil }
        let content = try refusing { () throws(ConstraintError) in
            try boundedStrings(
                item, SchemaReader(pointer: shape.places["uniqueItems"] ?? "#", keyword: "uniqueItems", value: true))
        }
        guard !content.isEmpty || list.minimum == 0 else {
            throw .contradiction(conflict("items", shape, "allows no string"))
        }
        let isAnyText = content == .anyText
        let index = isAnyText ? 0 : try refusing { () throws(ConstraintError) in try addAutomaton(content) }
        let open = OpenKeys(
            automaton: index, values: content.accepting.map { $0 ? nothing : nil }, distinctValues: [nothing],
            textCounts: content.textCounts, claimed: [0], isAnyText: isAnyText)
        return set(
            ObjectNode(
                punctuation: punctuation, isArray: true, names: SortedWords([]), values: [], required: [],
                open: content.isEmpty ? nil : open, minimum: list.minimum, maximum: list.maximum), shape)
    }

    /// The single shape of a conjunction of schemas; nil if there are alternatives.
    private func onlyShape(of ids: [ID]) throws(ShapeError) -> SchemaShape? {
        try refusing { () throws(ConstraintError) in
            let alternatives = try self.alternatives(of: ids)
            return alternatives.count == 1 ? try self.shape(of: alternatives[0].members) : nil
        }
    }

    /// Items that are one of a list of numbers and other short values with one spelling each, so that the remaining
    /// ones can be determined; nil for other items.
    private func listedItems(_ ids: [ID]) throws(ShapeError) -> NodeID? {
        guard let item = try onlyShape(of: ids) else { return nil }
        guard let values = item.values, item.checks.isEmpty else { return nil }
        let left = try admitted(values, item)
        guard !left.isEmpty, left.allSatisfy({ $0.array == nil && $0.object == nil }) else { return nil }
        let words = SortedWords(left.compactMap(\.string).map { Array($0.utf8) })
        let scalars = left.filter { $0.string == nil }
        var nodes = words.count == 0 ? [] : [add(.words(words))]
        if !scalars.isEmpty { nodes.append(try literal(scalars, item)) }
        return nodes.count == 1 ? nodes[0] : add(.choice(nodes))
    }

    private func set(_ object: ObjectNode, _ shape: SchemaShape) -> NodeID {
        let added = add(.object(object))
        demands[added] = conflict("minItems", shape, "requires more distinct items than there are")
        return added
    }
}
