import LeapJSON
import OrderedCollections

/// The items and members that a schema has evaluated, for `unevaluatedItems` and `unevaluatedProperties`.
///
/// A keyword that applies to a part of a value evaluates that part; a subschema applied in place passes on what it has
/// evaluated if the value satisfies it. nil: unknown, because it is unknown which subschemas are satisfied. Source:
/// JSON Schema 2020-12, Core, section 11.
extension SchemaJudge {
    mutating func evaluatedItems(_ elements: [JSONValue], _ schema: ID) -> Set<Int>? {
        evaluated(.array(elements), schema) { judge, assertion in
            switch assertion {
            case .items(let prefix, let rest):
                Set(rest == nil ? 0..<min(prefix.count, elements.count) : elements.indices)
            case .contains(let id, _, _, true): judge.indices(elements, id)
            // Before 2020-12 these did not count, but some implementations count them.
            case .contains(let id, _, _, false): judge.indices(elements, id).flatMap { $0.isEmpty ? [] : nil }
            case .unevaluatedItems: Set(elements.indices)
            default: []
            }
        }
    }

    mutating func evaluatedNames(_ members: OrderedDictionary<String, JSONValue>, _ schema: ID) -> Set<String>? {
        evaluated(.object(members), schema) { _, assertion in
            switch assertion {
            case .members(let table): Set(members.keys.filter { !table.schemas(of: $0).isEmpty })
            case .unevaluatedMembers: Set(members.keys)
            default: []
            }
        }
    }

    private mutating func indices(_ elements: [JSONValue], _ id: ID) -> Set<Int>? {
        var result: Set<Int> = []
        for (index, element) in elements.enumerated() {
            switch judge(element, id) {
            case .yes: result.insert(index)
            case .no: break
            case .unknown: return nil
            }
        }
        return result
    }

    private mutating func evaluated<Part: Hashable>(
        _ value: JSONValue, _ schema: ID, isNested: Bool = false,
        _ own: (inout SchemaJudge, Assertion) -> Set<Part>?
    ) -> Set<Part>? {
        guard depth > 0, steps > 0 else { return nil }
        depth -= 1
        defer { depth += 1 }
        var result: Set<Part> = []
        for assertion in schemas[schema] {
            steps -= 1
            // The keyword's own annotations must not count as already evaluated.
            if !isNested, assertion.isUnevaluated { continue }
            guard let found = own(&self, assertion.uncontested), let applied = applied(value, assertion.uncontested)
            else { return nil }
            result.formUnion(found)
            for id in applied {
                guard let passed = evaluated(value, id, isNested: true, own) else { return nil }
                result.formUnion(passed)
            }
        }
        return result
    }

    /// The subschemas that the assertion applies in place and that the value satisfies.
    private mutating func applied(_ value: JSONValue, _ assertion: Assertion) -> [ID]? {
        switch assertion {
        case .all(let ids), .any(let ids), .one(let ids): return satisfied(ids, value)
        case .dependent(let name, let id): return value.object?.hasKey(name) == true ? satisfied([id], value) : []
        case .conditional(let condition, let positive, let negative):
            switch judge(value, condition) {
            case .yes: return [condition] + (satisfied(positive.map { [$0] } ?? [], value) ?? [])
            case .no: return satisfied(negative.map { [$0] } ?? [], value)
            case .unknown: return nil
            }
        default: return []
        }
    }

    private mutating func satisfied(_ ids: [ID], _ value: JSONValue) -> [ID]? {
        var result: [ID] = []
        for id in ids {
            switch judge(value, id) {
            case .yes: result.append(id)
            case .no: break
            case .unknown: return nil
            }
        }
        return result
    }
}

extension Assertion {
    fileprivate var uncontested: Assertion {
        guard case .contested(let assertion) = self else { return self }
        return assertion
    }

    fileprivate var isUnevaluated: Bool {
        switch self {
        case .unevaluatedItems, .unevaluatedMembers: true
        default: false
        }
    }
}
