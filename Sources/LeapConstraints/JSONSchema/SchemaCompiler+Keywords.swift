import LeapJSON
import OrderedCollections

/// The arguments of a call in Python: `(city="Paris", days=3)`.
///
/// Keyword arguments can express a schema that only declares properties individually; they come in the order in which
/// it declares them, and must be valid Python names. Any other schema needs a dictionary: `(**{"city": "Paris"})`.
/// Source: The Python Language Reference, 6.3.4, "Calls".
extension SchemaCompiler {
    func keywordArguments() throws(ConstraintError) -> NodeID {
        let root = document.rootID()
        guard let keywords = document.schemas[root].value.object, Self.isPlain(keywords) else {
            return try dictionaryArguments(root)
        }
        guard let parameters = keywordParameters(keywords) else {
            let dictionary = try dictionaryArguments(root)
            let mayBeEmpty = keywords["required"]?.array?.isEmpty ?? true
            return mayBeEmpty ? add(.choice([try node(.text("()")), dictionary])) : dictionary
        }
        let close = try node(.text(")"))
        let comma = try node(.sequence([.text(","), .optional(.text(" "))]))
        // From the last parameter to the first: what may follow once all parameters before it are passed.
        var begin = [close]
        var goOn = [close]
        for parameter in parameters.reversed() {
            let rest = add(.choice(goOn))
            let argument = [try node(.text(parameter.name + "=")), node(for: [parameter.schema]), rest]
            let follower = add(.sequence([comma] + argument))
            // A required parameter cannot be replaced by a later parameter or the end.
            (begin, goOn) =
                parameter.isRequired
                ? ([add(.sequence(argument))], [follower])
                : ([add(.sequence(argument))] + begin, [follower] + goOn)
        }
        return add(.sequence([try node(.text("(")), add(.choice(begin))]))
    }

    private func dictionaryArguments(_ root: ID) throws(ConstraintError) -> NodeID {
        add(.sequence([try node(.text("(**")), node(for: [root]), try node(.text(")"))]))
    }

    private typealias KeywordParameter = (name: String, schema: ID, isRequired: Bool)

    /// Whether a schema does not constrain its properties jointly, except for which exist and which are required.
    private static func isPlain(_ keywords: OrderedDictionary<String, JSONValue>) -> Bool {
        let plain: Set = ["type", "properties", "required", "additionalProperties"]
        return [nil, "object"].contains(keywords["type"])
            && keywords.keys.allSatisfy { plain.contains($0) || SchemaKeywords.onlyAnnotations.contains($0) }
    }

    /// The parameters, if keyword arguments can express a plain schema.
    private func keywordParameters(_ keywords: OrderedDictionary<String, JSONValue>) -> [KeywordParameter]? {
        let properties = keywords["properties"]?.object ?? [:]
        let required = Set(keywords["required"]?.array?.map { $0.string ?? "" } ?? [])
        guard required.isSubset(of: properties.keys), properties.keys.allSatisfy(Self.isPythonName) else { return nil }
        switch keywords["additionalProperties"] {
        case .bool(false)?: break
        case nil: if keywords["properties"] == nil { return nil }
        // Undeclared ones are omitted.
        case .bool(true)?: if properties.isEmpty { return nil }
        default: return nil
        }
        let place = SchemaDocument.child("#", "properties")
        return properties.map { name, schema in
            let id = document.id(schema, at: SchemaDocument.child(place, name))
            return (name, id, required.contains(name))
        }
    }

    /// Whether a text is a valid name in Python; names with non-ASCII letters are not considered.
    private static func isPythonName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else { return false }
        return !["True", "False", "None"].contains(text)
            && text.utf8.allSatisfy { byte in
                let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                return isLetter || byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            }
    }
}
