/// The meaning of one schema keyword, as an assertion about values.
indirect enum Assertion: Sendable {
    typealias ID = SchemaChecks.ID

    case never
    /// - Parameter integersHaveNoPoint: Whether `1.0` is not an integer, as in draft 4.
    case types(SchemaTypes, integersHaveNoPoint: Bool)
    case values(Set<JSONEquality>)
    case bounds(NumberShape)
    case multiple(of: Decimal10)
    case length(minimum: Int, maximum: Int?)
    case pattern([BoundedTexts])
    /// The string is a regular expression.
    case expression
    case items(prefix: [ID], rest: ID?)
    case itemCount(minimum: Int, maximum: Int?)
    case unique
    /// - Parameter evaluates: Whether matching items count as evaluated, as since 2020-12.
    case contains(ID, minimum: Int, maximum: Int?, evaluates: Bool)
    case members(MemberTable)
    case memberCount(minimum: Int, maximum: Int?)
    case required([String])
    case names(ID)
    case all([ID])
    case any([ID])
    case one([ID])
    case not(ID)
    case conditional(if: ID, then: ID?, else: ID?)
    /// If the member is present, the schema holds.
    case dependent(String, ID)
    case unevaluatedItems(ID)
    case unevaluatedMembers(ID)
    /// If the assertion fails, the result is unknown: implementations disagree about it.
    case contested(Assertion)
}

/// `properties`, `patternProperties` and `additionalProperties` of one schema.
struct MemberTable: Sendable {
    /// By the UTF-8 of the names, because canonically equivalent names are different names.
    var properties: [[UInt8]: Assertion.ID] = [:]
    var patterns: [(pattern: [BoundedTexts], schema: Assertion.ID)] = []
    var additional: Assertion.ID?

    /// The schemas that the value of a member must satisfy.
    func schemas(of name: String) -> [Assertion.ID] {
        var ids = properties[Array(name.utf8)].map { [$0] } ?? []
        ids += patterns.filter { $0.pattern.accepts(name) }.map(\.schema)
        return ids.isEmpty ? additional.map { [$0] } ?? [] : ids
    }
}
