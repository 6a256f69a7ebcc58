/// A number with its digits in groups of three: `812,646,400`.
func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0 && (digits.count - index).isMultiple(of: 3) { text += "," }
        text.append(digit)
    }
    return text
}

/// `1 byte`, `2 bytes`.
func bytes(_ count: some BinaryInteger) -> String {
    "\(grouped(count)) \(count == 1 ? "byte" : "bytes")"
}

/// A name from a file, in quotes. Because the name is untrusted, terminal control characters are escaped, and the text is
/// cut at 100 characters.
package func quoted(_ name: String) -> String {
    let longest = 100
    var text = "'"
    for (count, scalar) in name.unicodeScalars.enumerated() {
        guard count < longest else { return text + "…'" }
        text += shown(scalar)
    }
    return text + "'"
}

/// A text within a line: control characters, line ends among them, are escaped as in Swift's literals, because a terminal
/// would obey them.
package func singleLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isControl) else { return text }
    return text.unicodeScalars.map(shown).joined()
}

private func shown(_ scalar: Unicode.Scalar) -> String {
    scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
