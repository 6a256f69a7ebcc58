import LeapJSON

/// The version of JSON Schema that a document declares, by its year; drafts 3 to 7 are from 2010 to 2018.
///
/// It determines the meaning of keywords. This matters for negation: a keyword that only some versions enforce cannot
/// be relied on to fail.
struct SchemaDraft: Sendable {
    private let version: Int

    private static let versions: [(name: String, version: Int)] = [
        ("draft-03", 3), ("draft-04", 4), ("draft-06", 6), ("draft-07", 7), ("2019-09", 2019), ("2020-12", 2020),
    ]

    /// The latest version if the document declares none.
    init(of document: JSONValue) {
        let uri = document["$schema"]?.string ?? ""
        version = Self.versions.first { uri.contains($0.name) }?.version ?? 2020
    }

    /// Whether a number written with a point is never an integer.
    var integersHaveNoPoint: Bool { version <= 4 }

    /// Whether a reference overrides all its sibling keywords.
    var referencesHideOthers: Bool { version <= 7 }

    /// The keyword that gives a schema its URI.
    var identifier: String { version <= 4 ? "id" : "$id" }

    /// Whether implementations may validate the documents that strings contain.
    var assertsContents: Bool { version == 7 }

    /// Whether `items` describes all items, even next to `prefixItems`, which was introduced later.
    var separatesPrefixes: Bool { version < 2020 }

    /// Whether items that match `contains` count as evaluated.
    var containsEvaluates: Bool { version >= 2020 }

    /// Whether the version defines a keyword, with this kind of value.
    func defines(_ keyword: String, _ value: JSONValue) -> Bool {
        if keyword.hasPrefix("exclusiveM") { return value.isBool == (version <= 4) }
        guard let (first, last) = Self.spans[keyword] else { return true }
        return first <= version && version <= last
    }

    private static let spans: [String: (first: Int, last: Int)] = [
        "const": (6, .max), "minContains": (2019, .max), "maxContains": (2019, .max), "contains": (6, .max),
        "propertyNames": (6, .max), "if": (7, .max),
        "dependentRequired": (2019, .max), "dependentSchemas": (2019, .max), "unevaluatedItems": (2019, .max),
        "unevaluatedProperties": (2019, .max), "prefixItems": (2020, .max), "dependencies": (3, 7),
        "additionalItems": (3, 2019),
    ]
}

extension JSONValue {
    fileprivate var isBool: Bool { self == true || self == false }
}
