import LeapJSON
import OrderedCollections

/// Filters for HTML and URLs.
enum MarkupFilters {
    static let all = [
        Builtin("escape", ["_value"]) { run, arguments throws(Failure) in
            .markup(try run.escapedText(of: arguments[0]))
        },
        Builtin("forceescape", ["value"]) { run, arguments throws(Failure) in
            .markup(try run.escaped(run.text(of: arguments[0])))
        },
        Builtin("safe", ["value"]) { run, arguments throws(Failure) in .markup(try run.text(of: arguments[0])) },
        Builtin("striptags", ["value"]) { run, arguments throws(Failure) in
            try run.budget.string(run.strippingTags(run.text(of: arguments[0])))
        },
        Builtin("xmlattr", ["d", "autospace?"]) { run, arguments throws(Failure) in
            try xmlAttributes(run, arguments)
        },
        Builtin("urlencode", ["value"]) { run, arguments throws(Failure) in try urlEncode(run, arguments[0]) },
        Builtin("urlize", ["value", "trim_url_limit?", "nofollow?", "target?", "rel?", "extra_schemes?"]) {
            run, arguments throws(Failure) in try urlize(run, arguments)
        },
    ]

    private static func xmlAttributes(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        guard case .dict(let dict) = arguments[0] else {
            if case .undefined(let undefined) = arguments[0] { throw undefined.failure }
            throw Failure(.exception(.attributeError, "'\(arguments[0].typeName)' object has no attribute 'items'"))
        }
        var attributes: [String] = []
        for (key, value) in dict.entries where !value.isNone && !value.isUndefined {
            guard let name = key.value.text else {
                throw .type("expected string or bytes-like object, got '\(key.value.typeName)'")
            }
            let isInvalid = name.unicodeScalars.contains {
                $0.isASCII && $0.isPythonSpace || "/>=".unicodeScalars.contains($0)
            }
            if isInvalid { throw .value("Invalid character in attribute name: \(PythonText.quoted(name))") }
            attributes.append("\(try run.escapedText(of: key.value))=\"\(try run.escapedText(of: value))\"")
        }
        let text = try run.join(attributes, separator: " ")
        let hasSpace = try arguments.flag(1, run, default: true) && !text.isEmpty
        return run.captured(hasSpace ? " " + text : text)
    }

    private static func urlEncode(_ run: Interpreter, _ value: Value) throws(Failure) -> Value {
        switch value {
        case .dict(let dict):
            var pairs: [String] = []
            for (key, value) in dict.entries {
                pairs.append("\(try quoted(key.value, run, inQuery: true))=\(try quoted(value, run, inQuery: true))")
            }
            return try run.budget.string(run.join(pairs, separator: "&"))
        case .list, .tuple, .undefined: return try urlEncodePairs(run, value)
        case .object(let object) where object.isIterable: return try urlEncodePairs(run, value)
        default: return try run.budget.string(quoted(value, run, inQuery: false))
        }
    }

    private static func urlEncodePairs(_ run: Interpreter, _ value: Value) throws(Failure) -> Value {
        var pairs: [String] = []
        for item in try run.elements(of: value) {
            let pair = try run.elements(of: item)
            guard pair.count == 2 else { throw .value("expected key-value pairs, found \(pair.count) values") }
            pairs.append("\(try quoted(pair[0], run, inQuery: true))=\(try quoted(pair[1], run, inQuery: true))")
        }
        return try run.budget.string(run.join(pairs, separator: "&"))
    }

    /// Percent-encodes everything except letters, digits and `-._~`; outside of queries, slashes are kept.
    private static func quoted(_ value: Value, _ run: Interpreter, inQuery: Bool) throws(Failure) -> String {
        let text = try run.text(of: value)
        try run.budget.touch(text)
        try run.budget.allocate(text, times: 3)
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            case UInt8(ascii: "/") where !inQuery: result.append(byte)
            case UInt8(ascii: " ") where inQuery: result.append(UInt8(ascii: "+"))
            default:
                result.append(UInt8(ascii: "%"))
                result.append(hexadecimal[Int(byte >> 4)])
                result.append(hexadecimal[Int(byte & 15)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static func urlize(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let text = try run.escapedText(of: arguments[0])
        // Short words cost most, because each is taken apart and put together again.
        try run.budget.touch(text.utf8.count * 96)
        var rel = Set(try arguments.present(4) == nil ? [] : arguments.string(4).splitAtWhitespace())
        if try arguments.flag(2, run) { rel.insert("nofollow") }
        rel.insert("noopener")
        var schemes: [String] = []
        if let extra = arguments.present(5) {
            for scheme in try run.elements(of: extra) { schemes.append(try run.text(of: scheme)) }
        }
        let linker = Linker(
            limit: try arguments.present(1) == nil ? nil : max(0, arguments.int(1)),
            rel: try run.escaped(rel.sorted(by: UTF8Text.precedes).joined(separator: " ")),
            target: try arguments.present(3).map { value throws(Failure) in try run.escapedText(of: value) },
            schemes: schemes)
        let result = linker.link(text)
        try run.budget.allocate(result)
        return run.captured(result)
    }
}
