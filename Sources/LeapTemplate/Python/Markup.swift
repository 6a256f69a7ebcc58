/// Text for HTML.
extension Interpreter {
    /// `text` with the characters escaped that have a meaning in HTML.
    func escaped(_ text: String) throws(Failure) -> String {
        try budget.touch(text)
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "'": result += "&#39;"
            case "\"": result += "&#34;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        try budget.allocate(result)
        return result
    }

    /// The text of a value, escaped unless it is marked as safe.
    func escapedText(of value: Value) throws(Failure) -> String {
        if case .markup(let text) = value { return text }
        return try escaped(text(of: value))
    }

    /// `text` as the same kind of string as `model`.
    func string(_ text: String, like model: Value) throws(Failure) -> Value {
        try budget.allocate(text)
        return model.isMarkup ? .markup(text) : .string(text)
    }

    /// The text without comments and tags, with single spaces and without entities.
    func strippingTags(_ text: String) throws(Failure) -> String {
        try budget.touch(text)
        let bytes = Array(text.utf8)
        let closingComment = ByteSearch(Array("-->".utf8))
        var kept: [UInt8] = []
        var position = 0
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            let isComment = bytes[start...].starts(with: Array("<!--".utf8))
            let end =
                isComment
                ? closingComment.first(in: bytes, from: start + 4).map { $0 + 3 }
                : bytes[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
            guard let end else { break }
            kept += bytes[position..<start]
            position = end
        }
        kept += bytes[position...]
        return HTMLEntities.unescape(String(decoding: kept, as: UTF8.self).splitAtWhitespace().joined(separator: " "))
    }
}

/// Entities of HTML: the numeric ones, and the names that text is likely to contain.
enum HTMLEntities {
    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
        "trade": "™", "hellip": "…", "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
        "laquo": "«", "raquo": "»", "bull": "•", "middot": "·", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢",
        "sect": "§", "para": "¶", "deg": "°", "plusmn": "±", "times": "×", "divide": "÷", "larr": "←", "rarr": "→",
        "uarr": "↑", "darr": "↓", "le": "≤", "ge": "≥", "ne": "≠", "infin": "∞", "micro": "µ",
    ]

    static func unescape(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = String.UnicodeScalarView()
        var rest = text[...].unicodeScalars
        while let scalar = rest.popFirst() {
            let body = scalar == "&" ? rest.prefix(32).prefix { $0 != ";" } : Substring("").unicodeScalars
            let end = body.endIndex
            if scalar == "&", end < rest.endIndex, rest[end] == ";", let meant = character(String(body)) {
                result.append(meant)
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func character(_ entity: String) -> Unicode.Scalar? {
        guard entity.hasPrefix("#") else { return names[entity] }
        let isHexadecimal = entity.dropFirst().lowercased().hasPrefix("x")
        let code = UInt32(entity.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        return code.map { Unicode.Scalar($0) ?? "\u{FFFD}" }
    }
}
