import Foundation
import LeapJSON
import OrderedCollections

/// A schema as it is written, with numbers for the subschemas that are in use.
struct SchemaDocument {
    typealias ID = Int

    private(set) var schemas: [Subschema] = []
    private var ids: [String: ID] = [:]
    private let root: JSONValue
    private var anchors: [String: String] = [:]
    private var nestedID: String?

    struct Subschema {
        /// A JSON pointer as a URI fragment: `#/properties/age`.
        let pointer: String
        let value: JSONValue
    }

    /// Keywords whose values are data, not schemas.
    private static let dataKeywords: Set<String> = ["enum", "const", "default", "examples", "example"]

    init(_ root: JSONValue) {
        self.root = root
        scan(root, "#", isSchema: true)
    }

    /// The number of the subschema at a place.
    mutating func id(_ value: JSONValue, at pointer: String) -> ID {
        if let id = ids[pointer] { return id }
        schemas.append(Subschema(pointer: pointer, value: value))
        ids[pointer] = schemas.count - 1
        return schemas.count - 1
    }

    mutating func rootID() -> ID { id(root, at: "#") }

    /// A subschema that is written nowhere: what a keyword means in terms of others.
    mutating func derivedID(_ value: JSONValue, at pointer: String) -> ID { id(value, at: pointer) }

    static func child(_ pointer: String, _ token: String) -> String {
        let escaped =
            token.contains { $0 == "~" || $0 == "/" }
            ? token.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined() : token
        return pointer + "/" + escaped
    }
}

// MARK: - References

extension SchemaDocument {
    /// The subschema that a `$ref` at `pointer` names.
    mutating func resolve(_ reference: String, from pointer: String) throws(ConstraintError) -> ID {
        func refusal(_ reason: String) -> ConstraintError {
            .schema(pointer: Self.child(pointer, "$ref"), keyword: "$ref", reason: reason)
        }
        if let nestedID {
            throw refusal("cannot be resolved, because \(nestedID) has an identifier of its own")
        }
        var fragment = reference
        if !reference.hasPrefix("#") {
            let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let own = (root["$id"]?.string ?? root["id"]?.string)?.split(separator: "#").first
            guard let own, parts.first == own else {
                throw refusal("names '\(reference)', which is not inside this document; nothing is fetched")
            }
            fragment = "#" + (parts.count > 1 ? String(parts[1]) : "")
        }
        if let anchored = anchors[String(fragment.dropFirst())] { fragment = anchored }
        guard let (value, canonical) = find(fragment) else {
            throw refusal("names '\(reference)', but there is nothing at that place")
        }
        return id(value, at: canonical)
    }

    private func find(_ fragment: String) -> (value: JSONValue, canonical: String)? {
        guard fragment != "#" else { return (root, "#") }
        guard fragment.hasPrefix("#/"), let decoded = String(fragment.dropFirst(2)).removingPercentEncoding
        else { return nil }
        var value = root
        var canonical = "#"
        for token in decoded.split(separator: "/", omittingEmptySubsequences: false) {
            let key = String(token).replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
            switch value {
            case .object(let members):
                guard let member = members[key] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Int(key), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
            canonical = Self.child(canonical, key)
        }
        return (value, canonical)
    }

    /// Notes anchors and identifiers. Names of properties are no keywords.
    private mutating func scan(_ value: JSONValue, _ pointer: String, isSchema: Bool) {
        switch value {
        case .object(let members):
            if isSchema { note(members, pointer) }
            for (key, member) in members where !(isSchema && Self.dataKeywords.contains(key)) {
                let holdsNames = isSchema && ["properties", "patternProperties", "$defs", "definitions"].contains(key)
                scan(member, Self.child(pointer, key), isSchema: !holdsNames)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                scan(element, Self.child(pointer, String(index)), isSchema: isSchema)
            }
        default: break
        }
    }

    private mutating func note(_ members: OrderedDictionary<String, JSONValue>, _ pointer: String) {
        if let anchor = members["$anchor"]?.string { anchors[anchor] = pointer }
        guard let id = members["$id"]?.string ?? (isDraft4 ? members["id"]?.string : nil) else { return }
        if id.hasPrefix("#") { anchors[String(id.dropFirst())] = pointer } else if pointer != "#" { nestedID = pointer }
    }

    /// The draft in which the keyword is `id`.
    private var isDraft4: Bool { root["$schema"]?.string?.contains("draft-04") ?? false }
}
