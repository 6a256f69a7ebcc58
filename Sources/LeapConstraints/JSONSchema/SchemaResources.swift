import Foundation
import LeapJSON
import OrderedCollections

/// The parts of a document that have identifiers: schemas by their URIs, and locations in them by anchors.
/// Source: JSON Schema 2020-12, Core, sections 8.2 and 9.
struct SchemaResources {
    typealias Place = SchemaDocument.Subschema

    /// Without a fragment; the document's own URI is empty if it declares none.
    private var byURI: [String: Place] = [:]
    private var anchors: [String: Place] = [:]
    /// URIs by the locations of their schemas.
    private var uris: [String: String] = [:]
    /// How often each `$dynamicAnchor` occurs.
    private(set) var dynamicAnchors: [String: Int] = [:]
    private(set) var recursiveAnchors = 0
    private let draft: SchemaDraft

    /// Keywords whose values are schemas, or arrays of schemas.
    private static let schemaKeywords: Set<String> = [
        "items", "prefixItems", "additionalItems", "contains", "unevaluatedItems", "additionalProperties",
        "propertyNames", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "extends",
        "contentSchema",
    ]
    /// Keywords whose values are objects of schemas.
    private static let nameKeywords: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
    ]

    init(_ root: JSONValue, _ draft: SchemaDraft) {
        self.draft = draft
        byURI[""] = Place(pointer: "#", value: root)
        uris["#"] = ""
        scan(Place(pointer: "#", value: root), base: "", isSchema: true)
    }

    /// How many schemas have an identifier, including the document.
    var count: Int { uris.count }

    /// The absolute URI of a reference.
    func uri(of reference: String, from pointer: String) -> String {
        Self.resolve(reference, base(of: pointer))
    }

    /// The schema with a URI, nil if it is not in the document, and the fragment.
    func target(of uri: String) -> (resource: Place?, fragment: String) {
        let (uri, fragment) = Self.split(uri)
        return (byURI[uri], fragment)
    }

    /// The location that a fragment identifies in a schema.
    func find(_ fragment: String, in resource: Place) -> Place? {
        if fragment.isEmpty { return resource }
        guard fragment.hasPrefix("/") else { return anchors[(uris[resource.pointer] ?? "") + "#" + fragment] }
        var (value, pointer) = (resource.value, resource.pointer)
        guard let keys = JSONPointer.keys(of: fragment.dropFirst()) else { return nil }
        for key in keys {
            guard let child = value.child(key) else { return nil }
            value = child
            pointer = SchemaDocument.child(pointer, key)
        }
        return Place(pointer: pointer, value: value)
    }
}

// MARK: - URIs

extension SchemaResources {
    /// The base URI of the schema that contains a location.
    private func base(of pointer: String) -> String {
        if uris.count == 1 { return uris["#"] ?? "" }
        var rest = pointer[...]
        while true {
            if let uri = uris[String(rest)] { return uri }
            guard let slash = rest.lastIndex(of: "/") else { return uris["#"] ?? "" }
            rest = rest[..<slash]
        }
    }

    private static func split(_ uri: String) -> (uri: String, fragment: String) {
        let parts = uri.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : "")
    }

    private static func resolve(_ reference: String, _ base: String) -> String {
        if reference.isEmpty || reference.hasPrefix("#") { return base + reference }
        guard !base.isEmpty, let url = URL(string: reference, relativeTo: URL(string: base)) else { return reference }
        return url.absoluteString
    }
}

// MARK: - Reading the document

extension SchemaResources {
    /// Records anchors and identifiers. Names of properties are not keywords.
    private mutating func scan(_ place: Place, base: String, isSchema: Bool) {
        switch place.value {
        case .object(let members):
            let base = isSchema ? note(members, place, base) : base
            for (key, member) in members {
                let holdsNames = isSchema && Self.nameKeywords.contains(key)
                guard !isSchema || holdsNames || Self.schemaKeywords.contains(key) else { continue }
                let child = Place(pointer: SchemaDocument.child(place.pointer, key), value: member)
                scan(child, base: base, isSchema: !holdsNames)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                let child = Place(pointer: SchemaDocument.child(place.pointer, String(index)), value: element)
                scan(child, base: base, isSchema: isSchema)
            }
        default: break
        }
    }

    /// - Returns: The base URI of references inside.
    private mutating func note(
        _ members: OrderedDictionary<String, JSONValue>, _ place: Place, _ base: String
    ) -> String {
        var base = base
        if let id = members[draft.identifier]?.string, !(draft.referencesHideOthers && members["$ref"] != nil) {
            let (uri, fragment) = Self.split(Self.resolve(id, base))
            if !id.hasPrefix("#") {
                base = uri
                byURI[uri] = byURI[uri] ?? place
                uris[place.pointer] = uri
            }
            if !fragment.isEmpty { anchors[base + "#" + fragment] = place }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            guard let anchor = members[keyword]?.string else { continue }
            anchors[base + "#" + anchor] = place
            if keyword == "$dynamicAnchor" { dynamicAnchors[anchor, default: 0] += 1 }
        }
        if members["$recursiveAnchor"] == true { recursiveAnchors += 1 }
        return base
    }
}
