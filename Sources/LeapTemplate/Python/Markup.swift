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
        // Each word may be a string of its own, and each entity a look-up.
        try budget.touch(text.utf8.count * 16)
        let bytes = Array(text.utf8)
        let openingComment = Array("<!--".utf8)
        let closingComment = ByteSearch(Array("-->".utf8))
        var kept: [UInt8] = []
        var position = 0
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            let isComment = bytes[start...].starts(with: openingComment)
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
