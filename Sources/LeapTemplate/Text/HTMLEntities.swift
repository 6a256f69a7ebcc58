import LeapJSON

/// The character references of HTML, resolved as Python's `html.unescape` does, except that of the names beyond Latin-1 only
/// those are known that text is likely to contain.
enum HTMLEntities {
    static func unescape(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "&")) {
            result += bytes[position..<start]
            if let (meant, end) = reference(bytes[(start + 1)...]) {
                result += meant.utf8
                position = end
            } else {
                result.append(bytes[start])
                position = start + 1
            }
        }
        return String(decoding: result + bytes[position...], as: UTF8.self)
    }

    /// What a reference without its `&` means, and where it ends; `nil` if it is none.
    private static func reference(_ rest: ArraySlice<UInt8>) -> (text: String, end: Int)? {
        guard rest.first != UInt8(ascii: "#") else { return number(rest.dropFirst()) }
        let name = rest.prefix(32).prefix { !delimiters.contains($0) }
        let isClosed = rest[name.endIndex...].first == UInt8(ascii: ";")
        if isClosed, let meant = names[String(decoding: name, as: UTF8.self)] { return (meant, name.endIndex + 1) }
        for count in nameLengths.reversed() where count <= name.count {
            if let meant = openNames[String(decoding: name.prefix(count), as: UTF8.self)] {
                return (meant, name.startIndex + count)
            }
        }
        return nil
    }

    private static let delimiters = Set("\t\n\u{C} <&#;".utf8)

    private static func number(_ rest: ArraySlice<UInt8>) -> (text: String, end: Int)? {
        let isHexadecimal = rest.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let radix: UInt32 = isHexadecimal ? 16 : 10
        let digits = rest.dropFirst(isHexadecimal ? 1 : 0).prefix { digit($0, radix) != nil }
        guard !digits.isEmpty else { return nil }
        let code = digits.reduce(0) { min(0x110000, $0 * radix + (digit($1, radix) ?? 0)) }
        let isClosed = rest[digits.endIndex...].first == UInt8(ascii: ";")
        return (character(code), digits.endIndex + (isClosed ? 1 : 0))
    }

    private static func digit(_ byte: UInt8, _ radix: UInt32) -> UInt32? {
        guard let value = UInt8(hexadecimal: byte), value < radix else { return nil }
        return UInt32(value)
    }

    /// The text for a number: controls that would be Windows' characters are read as those, and other ones and
    /// noncharacters are left out.
    private static func character(_ code: UInt32) -> String {
        switch code {
        case 0x80...0x9F: String(windows[Int(code) - 0x80])
        case 0x1...0x8, 0xB, 0xE...0x1F, 0x7F, 0xFDD0...0xFDEF: ""
        case _ where code & 0xFFFE == 0xFFFE: ""
        case 0: "\u{FFFD}"
        default: String(Unicode.Scalar(code) ?? "\u{FFFD}")
        }
    }
}

extension HTMLEntities {
    /// Windows-1252 from 0x80 to 0x9F.
    private static let windows = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// The names of U+00A0 to U+00FF.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
        deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
        Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml
        ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
        eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """.split { $0.isWhitespace }.map(String.init)

    /// The names that count without a semicolon, too.
    private static let openNames: [String: String] = {
        var names = [
            "amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": "\"", "QUOT": "\"",
            "COPY": "©", "REG": "®",
        ]
        for (code, name) in zip(UInt8(0xA0)...UInt8.max, latin1) { names[name] = String(Unicode.Scalar(code)) }
        return names
    }()

    /// The lengths of these names.
    private static let nameLengths = 2...6

    private static let names: [String: String] = openNames.merging([
        "apos": "'", "trade": "™", "hellip": "…", "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“",
        "rdquo": "”", "bull": "•", "euro": "€", "larr": "←", "rarr": "→", "uarr": "↑", "darr": "↓", "le": "≤",
        "ge": "≥",
        "ne": "≠", "infin": "∞",
    ]) { first, _ in first }
}
