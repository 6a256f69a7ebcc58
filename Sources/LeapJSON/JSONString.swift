/// Writes strings as JSON, for ``JSONWriter`` and other writers.
package enum JSONString {
    /// Appends `string` in double quotes, escaping what JSON demands and, if asked, everything beyond ASCII.
    package static func append(_ string: String, escapingNonASCII: Bool, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{c}": text += "\\f"
            case _ where scalar.value < 0x20 || (escapingNonASCII && scalar.value > 0x7E):
                for unit in String(scalar).utf16 { text += "\\u" + hexadecimal(unit) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
