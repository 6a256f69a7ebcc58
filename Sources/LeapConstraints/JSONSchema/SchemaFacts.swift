import LeapJSON
import OrderedCollections

/// Cheap facts about a subschema: the possible types, the possible values if they are listed, and the same for its members.
///
/// Combinations of alternatives whose facts contradict each other are impossible. The converse does not hold: facts
/// that agree do not exclude a contradiction.
struct SchemaFacts {
    private var types = SchemaTypes.all
    /// By `enum` and `const`.
    private var values: Set<JSONEquality>?
    private var excluded: Set<JSONEquality> = []
    private var required: Set<String> = []
    private var members: [String: SchemaFacts] = [:]

    /// Deeper nested members rarely distinguish further alternatives.
    private static let depthLimit = 3

    /// Creates facts of a schema that permits every value.
    init() {}

    init(_ schema: JSONValue, _ draft: SchemaDraft, depth: Int = 0) {
        switch schema {
        case .bool(false): types = []
        case .object(let keywords):
            guard keywords["$ref"] == nil || !draft.referencesHideOthers else { return }
            read(keywords, draft)
            guard depth < Self.depthLimit, let properties = keywords["properties"]?.object else { return }
            for (name, value) in properties {
                let facts = SchemaFacts(value, draft, depth: depth + 1)
                if !facts.isNothing { members[name] = facts }
            }
        default: break
        }
    }

    private mutating func read(_ keywords: OrderedDictionary<String, JSONValue>, _ draft: SchemaDraft) {
        types = keywords["type"].flatMap(Self.types) ?? .all
        if let none = keywords[SchemaNegation.excludedTypes].flatMap(Self.types) { types.subtract(none) }
        if let value = keywords["const"], draft.defines("const", value) { restrict(to: [JSONEquality(value)]) }
        if let values = keywords["enum"]?.array { restrict(to: Set(values.map(JSONEquality.init))) }
        excluded = Set((keywords[SchemaNegation.excludedValues]?.array ?? []).map(JSONEquality.init))
        required = Set((keywords["required"]?.array ?? []).compactMap(\.string))
    }

    private static func types(_ value: JSONValue) -> SchemaTypes? {
        guard let names = value.string.map({ [$0] }) ?? value.array?.compactMap(\.string) else { return nil }
        let types = names.compactMap { SchemaTypes(name: $0) }
        // An unknown name is rejected elsewhere.
        return types.count == names.count ? types.reduce(into: []) { $0.formUnion($1) } : nil
    }

    private var isNothing: Bool {
        types == .all && values == nil && excluded.isEmpty && required.isEmpty && members.isEmpty
    }

    private mutating func restrict(to allowed: Set<JSONEquality>) {
        values = values.map { $0.intersection(allowed) } ?? allowed
    }

    /// Adds facts that hold too.
    ///
    /// - Returns: Whether any value may be left.
    mutating func add(_ other: SchemaFacts) -> Bool {
        types.formIntersection(other.types)
        if let allowed = other.values { restrict(to: allowed) }
        excluded.formUnion(other.excluded)
        required.formUnion(other.required)
        for (name, facts) in other.members { _ = members[name, default: SchemaFacts()].add(facts) }
        // A contradiction in a required member excludes objects, but no other types.
        let touched = other.required.union(other.members.keys)
        if touched.contains(where: { required.contains($0) && members[$0]?.permitsAny == false }) {
            types.remove(.object)
        }
        return permitsAny
    }

    private var permitsAny: Bool { !types.isEmpty && !(values?.isSubset(of: excluded) ?? false) }
}
