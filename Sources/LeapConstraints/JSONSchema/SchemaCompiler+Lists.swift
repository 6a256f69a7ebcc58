import LeapChat

/// Arrays: what stands at each place, and how many places there are.
extension SchemaCompiler {
    func listNode(_ shape: SchemaShape) throws(ShapeError) -> NodeID {
        let list = shape.list
        guard shape.excluded.allSatisfy({ $0.array == nil }) else {
            throw .refused(conflict("not", shape, "cannot exclude single arrays"))
        }
        if let maximum = list.maximum, maximum < list.minimum {
            throw .contradiction(conflict("maxItems", shape, "is below minItems"))
        }
        guard let punctuation else { throw .refused(.unsatisfiable(reason: "no punctuation")) }
        let length = list.tables.map(\.prefix.count).max() ?? 0
        func ids(_ index: Int) -> [ID] {
            list.tables.compactMap { index < $0.prefix.count ? $0.prefix[index] : $0.rest }
        }
        // Places behind the last one that may be filled are never asked for.
        let used = min(length, list.maximum ?? length)
        let prefix = (0..<used).map { node(for: ids($0)) }
        let rest = ids(length)
        let isClosed = rest.contains { document.schemas[$0].value == false }
        if isClosed, list.minimum > length {
            throw .contradiction(conflict("minItems", shape, "is above the number of items that there may be"))
        }
        return add(
            .list(
                ListNode(
                    punctuation: punctuation, prefix: prefix, rest: isClosed ? nil : node(for: rest),
                    minimum: list.minimum, maximum: list.maximum)))
    }
}
