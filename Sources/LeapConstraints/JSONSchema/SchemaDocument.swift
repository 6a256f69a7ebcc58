import Foundation
import LeapJSON
import OrderedCollections

/// A schema as it is written, with indices for the subschemas that are in use.
struct SchemaDocument {
    typealias ID = Int

    /// The version of JSON Schema that it declares.
    let draft: SchemaDraft
    private(set) var schemas: [Subschema] = []
    private var ids: [String: ID] = [:]
    /// The targets of references, by URI.
    private var resolved: [String: ID] = [:]
    private let root: Subschema
    private var resources: SchemaResources

    struct Subschema {
        /// A JSON pointer as a URI fragment: `#/properties/age`.
        let pointer: String
        let value: JSONValue
    }

    init(_ root: JSONValue) {
        self.root = Subschema(pointer: "#", value: root)
        draft = SchemaDraft(of: root)
        resources = SchemaResources(root, draft)
    }

    /// The index of the subschema at a location.
    mutating func id(_ value: JSONValue, at pointer: String) -> ID {
        if let id = ids[pointer] { return id }
        schemas.append(Subschema(pointer: pointer, value: value))
        ids[pointer] = schemas.count - 1
        return schemas.count - 1
    }

    mutating func rootID() -> ID { id(root.value, at: "#") }

    static func child(_ pointer: String, _ token: String) -> String {
        // Locations are built thousands of times per schema: in one piece where possible, otherwise token by token.
        var child = ""
        child.reserveCapacity(pointer.utf8.count + 1 + token.utf8.count)
        child += pointer
        child += "/"
        child += escaped(token)
        return child
    }

    private static func escaped(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
        return token.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }
}

// MARK: - References

extension SchemaDocument {
    /// The subschema to which a reference at `pointer` refers.
    mutating func resolve(
        _ reference: String, from pointer: String, keyword: String = "$ref"
    ) throws(ConstraintError) -> ID {
        func refusal(_ reason: String) -> ConstraintError {
            .schema(pointer: Self.child(pointer, keyword), keyword: keyword, reason: reason)
        }
        guard resources.count == 1 || !pointer.contains("/(") else {
            throw refusal("cannot be resolved inside a negation, because parts of the document have identifiers")
        }
        let uri = resources.uri(of: reference, from: pointer)
        if let known = resolved[uri] { return known }
        let (resource, fragment) = resources.target(of: uri)
        guard let resource else {
            throw refusal(
                "refers to '\(reference)', which is outside this document, and external documents are not fetched")
        }
        guard let found = resources.find(fragment, in: resource) else {
            throw refusal("refers to '\(reference)', which does not exist in this document")
        }
        let id = id(found.value, at: found.pointer)
        resolved[uri] = id
        return id
    }

    /// Whether the target of a dynamic reference depends on the evaluation path.
    func isDynamic(_ reference: String, _ keyword: String) -> Bool {
        keyword == "$recursiveRef"
            ? resources.recursiveAnchors > 0 && resources.count > 1
            : resources.dynamicAnchors[reference.split(separator: "#").last.map(String.init) ?? "", default: 0] > 1
    }
}
