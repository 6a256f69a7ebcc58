import LeapJSON
import OrderedCollections

/// Subschemas that no automaton can enforce byte by byte, and that are therefore evaluated on complete values.
///
/// The evaluation follows the standard. It takes bounded time; beyond that, the result is unknown.
struct SchemaChecks: Sendable {
    typealias ID = Int

    /// The assertions of each subschema.
    var schemas: [[Assertion]] = []

    private static let stepLimit = 200_000
    private static let depthLimit = 600

    /// Whether a JSON text definitely satisfies a subschema.
    func accept(_ text: some Collection<UInt8>, _ schema: ID) -> Bool {
        guard let value = try? JSONValue(parsingDistinctKeys: text) else { return false }
        return accept(value, schema)
    }

    /// Whether a value definitely satisfies a subschema.
    func accept(_ value: JSONValue, _ schema: ID) -> Bool {
        var judge = SchemaJudge(schemas: schemas, steps: Self.stepLimit, depth: Self.depthLimit)
        return judge.judge(value, schema) == .yes
    }
}

/// One evaluation: a walk through a value and the subschemas that apply to it.
struct SchemaJudge {
    typealias ID = SchemaChecks.ID

    let schemas: [[Assertion]]
    /// The remaining number of assertions that may be evaluated.
    var steps: Int
    /// The remaining number of nested subschemas that may be entered.
    var depth: Int

    mutating func judge(_ value: JSONValue, _ schema: ID) -> Truth {
        guard depth > 0 else { return .unknown }
        depth -= 1
        defer { depth += 1 }
        return Truth.all(schemas[schema]) { judge(value, $0, of: schema) }
    }

    private mutating func judge(_ value: JSONValue, _ assertion: Assertion, of schema: ID) -> Truth {
        steps -= 1
        guard steps > 0 else { return .unknown }
        switch assertion {
        case .never: return .no
        case .types(let types, let integersHaveNoPoint): return Truth(types.contains(value, integersHaveNoPoint))
        case .values(let values): return Truth(values.contains(JSONEquality(value)))
        case .all(let ids): return Truth.all(ids) { judge(value, $0) }
        case .any(let ids): return Truth.any(ids) { judge(value, $0) }
        case .one(let ids): return Truth.count(of: ids, minimum: 1, maximum: 1) { judge(value, $0) }
        case .not(let id): return !judge(value, id)
        case .conditional(let condition, let positive, let negative):
            return judge(value, if: condition, then: positive, else: negative)
        case .contested(let assertion):
            return judge(value, assertion, of: schema) == .yes ? .yes : .unknown
        default: return judgeByType(value, assertion, of: schema)
        }
    }

    private mutating func judge(_ value: JSONValue, if condition: ID, then positive: ID?, else negative: ID?) -> Truth {
        switch judge(value, condition) {
        case .yes: return positive.map { judge(value, $0) } ?? .yes
        case .no: return negative.map { judge(value, $0) } ?? .yes
        case .unknown:
            let branches = [positive, negative].map { $0.map { judge(value, $0) } ?? .yes }
            return branches[0] == branches[1] ? branches[0] : .unknown
        }
    }

    private mutating func judgeByType(_ value: JSONValue, _ assertion: Assertion, of schema: ID) -> Truth {
        switch value {
        case .null, .bool: return .yes
        case .integer, .largeInteger, .number, .exactNumber: return judge(number: value, assertion)
        case .string(let text): return judge(text, assertion)
        case .array(let elements): return judge(elements, assertion, of: schema)
        case .object(let members): return judge(members, assertion, of: schema)
        }
    }
}

// MARK: - Numbers and strings

extension SchemaJudge {
    private func judge(number value: JSONValue, _ assertion: Assertion) -> Truth {
        guard let number = Decimal10(value) else { return .unknown }
        switch assertion {
        case .bounds(let shape): return Truth(shape.contains(number))
        case .multiple(let divisor): return Self.isMultiple(number, of: divisor)
        default: return .yes
        }
    }

    /// Implementations divide exactly, or divide doubles and round: the result is known if both agree.
    private static func isMultiple(_ number: Decimal10, of divisor: Decimal10) -> Truth {
        guard let isExact = number.isMultiple(of: divisor) else { return .unknown }
        let quotient = number.double / divisor.double
        let isRounded = quotient.isFinite && quotient == quotient.rounded()
        return isExact == isRounded || (divisor.isInteger && number.isInteger) ? Truth(isExact) : .unknown
    }

    private func judge(_ text: String, _ assertion: Assertion) -> Truth {
        switch assertion {
        case .length(let minimum, let maximum):
            let count = text.unicodeScalars.count
            return Truth(count >= minimum && count <= maximum ?? .max)
        case .pattern(let pattern): return Truth(pattern.accepts(text))
        // Without Unicode's flag, property escapes do not exist.
        case .expression where text.contains("\\p") || text.contains("\\P"): return .unknown
        case .expression: return (try? RegexParser.parse(text)) != nil ? .yes : .unknown
        default: return .yes
        }
    }
}

// MARK: - Arrays and objects

extension SchemaJudge {
    private mutating func judge(_ elements: [JSONValue], _ assertion: Assertion, of schema: ID) -> Truth {
        switch assertion {
        case .items(let prefix, let rest):
            return Truth.all(elements.enumerated()) { index, element in
                let id = index < prefix.count ? prefix[index] : rest
                return id.map { judge(element, $0) } ?? .yes
            }
        case .itemCount(let minimum, let maximum):
            return Truth(elements.count >= minimum && elements.count <= maximum ?? .max)
        case .unique: return Truth(Set(elements.map(JSONEquality.init)).count == elements.count)
        case .contains(let id, let minimum, let maximum, _):
            return Truth.count(of: elements, minimum: minimum, maximum: maximum) { judge($0, id) }
        case .unevaluatedItems(let id):
            guard let evaluated = evaluatedItems(elements, schema) else { return .unknown }
            return Truth.all(elements.enumerated()) { index, element in
                evaluated.contains(index) ? .yes : judge(element, id)
            }
        default: return .yes
        }
    }

    private mutating func judge(
        _ members: OrderedDictionary<String, JSONValue>, _ assertion: Assertion, of schema: ID
    ) -> Truth {
        switch assertion {
        case .members(let table):
            return Truth.all(members) { name, member in
                Truth.all(table.schemas(of: name)) { judge(member, $0) }
            }
        case .memberCount(let minimum, let maximum):
            return Truth(members.count >= minimum && members.count <= maximum ?? .max)
        case .required(let names): return Truth(names.allSatisfy(members.hasKey))
        case .names(let id): return Truth.all(members.keys) { judge(.string($0), id) }
        case .dependent(let name, let id): return members.hasKey(name) ? judge(.object(members), id) : .yes
        case .unevaluatedMembers(let id):
            guard let evaluated = evaluatedNames(members, schema) else { return .unknown }
            return Truth.all(members) { name, member in
                evaluated.contains(name) ? .yes : judge(member, id)
            }
        default: return .yes
        }
    }
}

extension SchemaTypes {
    fileprivate func contains(_ value: JSONValue, _ integersHaveNoPoint: Bool) -> Bool {
        let type = SchemaTypes(of: value)
        if integersHaveNoPoint, case .number = value, type == .integer { return contains(.fraction) }
        return contains(type)
    }
}
