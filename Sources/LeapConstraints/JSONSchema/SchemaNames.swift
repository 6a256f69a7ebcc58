import LeapJSON
import OrderedCollections

/// Finds names that a schema spells in two ways, such as `é` as one scalar and as two.
///
/// They are different names in JSON, but equal strings in Swift, by which the compiler looks names up.
struct SchemaNames {
    /// The names with characters beyond ASCII: no others have two spellings.
    private var spellings: Set<String> = []
    /// The keys that lead to the value that is being read.
    private var path: [String] = []

    /// - Throws: With the location of the second spelling.
    static func check(_ schema: JSONValue) throws(ConstraintError) {
        var names = SchemaNames()
        try names.read(schema)
    }

    /// Keywords that name members of objects in arrays of strings.
    private static let lists: Set<String> = ["required", "dependentRequired", "dependencies"]
    /// Keywords to whose names an error may refer.
    private static let keywords = lists.union(["properties", "patternProperties", "dependentSchemas", "$defs", "enum"])

    /// Keys in `enum`, `const` and annotations count too: listed objects are looked up like others, and a schema that
    /// spells one name in two ways is a mistake anyway.
    private mutating func read(_ value: JSONValue) throws(ConstraintError) {
        switch value {
        case .object(let members):
            for (key, member) in members {
                try note(key)
                path.append(key)
                if Self.lists.contains(key) { try noteLists(in: member) }
                try read(member)
                path.removeLast()
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                path.append(String(index))
                try read(element)
                path.removeLast()
            }
        default: break
        }
    }

    /// Notes the names in a list, or in the lists of an object.
    private mutating func noteLists(in value: JSONValue) throws(ConstraintError) {
        for (key, member) in value.object ?? [:] where member.array != nil {
            try note(key)
            path.append(key)
            try noteLists(in: member)
            path.removeLast()
        }
        for (index, element) in (value.array ?? []).enumerated() {
            path.append(String(index))
            if let name = element.string { try note(name) }
            path.removeLast()
        }
    }

    private mutating func note(_ name: String) throws(ConstraintError) {
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return }
        let (isNew, other) = spellings.insert(name)
        guard !isNew, !UTF8Text.areEqual(name, other) else { return }
        throw .schema(
            pointer: path.reduce("#", SchemaDocument.child),
            keyword: path.last(where: Self.keywords.contains) ?? path.last ?? "",
            reason: "has the name '\(Self.escaped(name))', which is spelled '\(Self.escaped(other))' elsewhere in the "
                + "schema: in JSON these are different names, so spell it in one way")
    }

    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}

extension OrderedDictionary<String, JSONValue> {
    /// Whether there is a key of exactly these scalars; canonically equivalent keys are different ones.
    func hasKey(_ key: String) -> Bool {
        guard let index = index(forKey: key) else { return false }
        return UTF8Text.areEqual(keys[index], key)
    }
}
