import LeapJSON
import OrderedCollections

/// A nested value whose parts are between tags of their names: `<city>Paris</city>`, or `<item>…</item>` in a list. Each
/// tag has a prefix, so that text is never mistaken for one.
struct NestedTags {
    let prefix: String

    /// The value of a text; `nil` if it has no parts.
    func value(of text: String, _ schema: ParameterSchema?, depth: Int = 0) -> JSONValue? {
        guard text.hasPrefix(prefix + "<"), depth < 64 else { return nil }
        // A value that may be text is text.
        guard !(schema?.types?.contains("string") ?? false) else { return nil }
        var members: OrderedDictionary<String, JSONValue> = [:]
        var items: [JSONValue] = []
        var rest = text[...]
        while !rest.isEmpty {
            guard let part = takePart(&rest) else { return nil }
            let isItem = part.name == "item" && schema?.property("item") == nil
            let own = isItem ? schema?.items : schema?.property(part.name)
            let value = value(of: part.text, own, depth: depth + 1) ?? ArgumentText.value(part.text, own)
            if isItem { items.append(value) } else { members[part.name] = value }
        }
        return members.isEmpty ? .array(items) : .object(members)
    }

    private func takePart(_ rest: inout Substring) -> (name: String, text: String)? {
        guard rest.hasPrefix(prefix + "<") else { return nil }
        let start = rest.index(rest.startIndex, offsetBy: prefix.count + 1)
        guard let close = rest[start...].firstIndex(of: ">") else { return nil }
        let name = String(rest[start..<close])
        let body = rest[rest.index(after: close)...]
        guard let end = body.firstRange(of: "\(prefix)</\(name)>") else { return nil }
        rest = body[end.upperBound...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        return (name, String(body[..<end.lowerBound]))
    }
}
