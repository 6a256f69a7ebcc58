import LeapJSON
import OrderedCollections

/// Equivalent sets of subschemas share a node: large documents refer to a definition from many places, and most of
/// their members have only a type.
extension SchemaCompiler {
    /// Defines a node as the conjunction of some subschemas, compiling them if necessary.
    func fill(_ node: NodeID, with ids: [ID]) throws(ConstraintError) {
        let targets = try targets(of: ids)
        guard targets == ids else { return nodes[node] = .choice([self.node(for: targets)]) }
        guard ids.count == 1, let key = plainKey(of: ids[0]) else { return try compile(ids, into: node) }
        if let known = plainNodes[key] { return nodes[node] = .choice([known]) }
        let noted = unknownKeywords.count
        try compile(ids, into: node)
        // A node with notes about its location must not be shared, because the notes would apply at other locations
        // too.
        if unknownKeywords.count == noted, conflicts[node] == nil { plainNodes[key] = node }
    }

    /// The subschemas without empty ones, and with references replaced by definitions.
    private func targets(of ids: [ID]) throws(ConstraintError) -> [ID] {
        var targets: [ID] = []
        for id in ids {
            let target = try target(of: id)
            if !saysNothing(target) { targets.append(target) }
        }
        return targets
    }

    /// The final target of a reference without sibling keywords; the subschema itself if it is not one, or leads
    /// nowhere.
    private func target(of id: ID) throws(ConstraintError) -> ID {
        var current = id
        for _ in 0..<SchemaExpansion.chainLimit {
            guard case .object(let members) = document.schemas[current].value, members["$ref"] != nil,
                members.keys.allSatisfy({ $0 == "$ref" || SchemaKeywords.onlyAnnotations.contains($0) }),
                let next = try applicators(of: current).all.first
            else { return current }
            current = next
        }
        return id
    }

    private func saysNothing(_ id: ID) -> Bool {
        switch document.schemas[id].value {
        case .bool(let flag): flag
        case .object(let members): members.keys.allSatisfy(SchemaKeywords.onlyAnnotations.contains)
        default: false
        }
    }

    /// The type and the format of a subschema without other keywords; nil for any other.
    private func plainKey(of id: ID) -> [JSONValue?]? {
        guard case .object(let members) = document.schemas[id].value, let type = members["type"] else { return nil }
        let isPlain = members.keys.allSatisfy {
            $0 == "type" || $0 == "format" || SchemaKeywords.onlyAnnotations.contains($0)
        }
        return isPlain ? [type, members["format"]] : nil
    }
}
