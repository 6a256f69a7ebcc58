/// Turns addresses in escaped text into links.
struct Linker {
    /// How many characters of an address are shown.
    let limit: Int?
    let rel: String
    let target: String?
    /// Additional schemes that make a word an address.
    let schemes: [String]

    func link(_ text: String) -> String {
        var result = ""
        var rest = text[...].unicodeScalars
        while !rest.isEmpty {
            let blank = rest.prefix(while: \.isPythonSpace)
            let word = rest[blank.endIndex...].prefix { !$0.isPythonSpace }
            result += String(blank) + linkWord(String(word))
            rest = rest[word.endIndex...]
        }
        return result
    }

    private func linkWord(_ word: String) -> String {
        guard !schemes.isEmpty || word.utf8.contains(where: Self.isInAddress) else { return word }
        var (head, middle, tail) = split(word)
        balance(&middle, &tail)
        return head + anchor(middle) + tail
    }

    /// Whether a byte is one of those of which every address without an additional scheme has at least one.
    private static func isInAddress(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
    }

    /// Splits opening brackets off the front, and closing brackets and punctuation off the end.
    private func split(_ word: String) -> (head: String, middle: String, tail: String) {
        let scalars = Array(word.unicodeScalars)
        let opening = ["(", "<", "&lt;"].map { Array($0.unicodeScalars) }
        let closing = [")", ">", ".", ",", "&gt;"].map { Array($0.unicodeScalars) }
        var start = 0
        while let mark = opening.first(where: { scalars[start...].starts(with: $0) }) { start += mark.count }
        var end = scalars.count
        while let mark = closing.first(where: { scalars[start..<end].suffix($0.count).elementsEqual($0) }) {
            end -= mark.count
        }
        return (String(scalars[..<start]), String(scalars[start..<end]), String(scalars[end...]))
    }

    /// Returns closing brackets to an address that contains their opening ones.
    private func balance(_ middle: inout String, _ tail: inout String) {
        for (open, close) in [("(", ")"), ("<", ">"), ("&lt;", "&gt;")] {
            let opened = middle.split(at: open).count - 1
            guard opened > middle.split(at: close).count - 1 else { continue }
            let parts = tail.split(at: close)
            let moved = min(opened, parts.count - 1)
            guard moved > 0 else { continue }
            middle += parts[..<moved].joined(separator: close) + close
            tail = parts[moved...].joined(separator: close)
        }
    }

    private func anchor(_ address: String) -> String {
        let lowercase = address.lowercased()
        let relation = rel.isEmpty ? "" : " rel=\"\(rel)\""
        let attributes = relation + (target.map { " target=\"\($0)\"" } ?? "")
        if isWebAddress(lowercase) {
            let hasScheme = address.hasPrefix("https://") || address.hasPrefix("http://")
            return "<a href=\"\(hasScheme ? "" : "https://")\(address)\"\(attributes)>\(trimmed(address))</a>"
        }
        if address.hasPrefix("mailto:") {
            let mail = String(address.dropFirst(7))
            return isMailAddress(mail) ? "<a href=\"\(address)\">\(mail)</a>" : address
        }
        let mayBeMail = !address.hasPrefix("www.") && !address.hasPrefix("@") && !address.contains(":")
        if mayBeMail, isMailAddress(address) { return "<a href=\"mailto:\(address)\">\(address)</a>" }
        for scheme in schemes where address != scheme && address.hasPrefix(scheme) {
            return "<a href=\"\(address)\"\(attributes)>\(address)</a>"
        }
        return address
    }

    private func trimmed(_ address: String) -> String {
        guard let limit, address.scalarCount > limit else { return address }
        return address.scalars(in: 0..<limit) + "..."
    }

    /// `user@host.domain`
    private func isMailAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count >= 2, let host = parts.last, !parts.dropLast().joined(separator: "@").isEmpty else {
            return false
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isWord = { (part: Substring) in part.unicodeScalars.allSatisfy { $0.isWordCharacter || $0 == "-" } }
        guard labels.count >= 2, host.unicodeScalars.first?.isWordCharacter == true, labels.allSatisfy(isWord) else {
            return false
        }
        return labels.last.map { !$0.isEmpty && $0.unicodeScalars.allSatisfy(\.isWordCharacter) } ?? false
    }

    /// A host with a scheme, with `www.`, or with one of the classic top-level domains.
    private func isWebAddress(_ text: String) -> Bool {
        let scheme = ["https://", "http://"].first { text.hasPrefix($0) }
        let rest = text.dropFirst(scheme?.count ?? 0)
        let authority = rest.prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        if scheme != nil, authority.hasPrefix("[") { return authority.contains("]") && authority.contains(":") }
        guard parts.count <= 2, let host = parts.first, isPort(parts.dropFirst().first) else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty), labels.allSatisfy(isLabel), let domain = labels.last else {
            return false
        }
        if scheme != nil, labels.count == 4, labels.allSatisfy({ 1...3 ~= $0.count && $0.allSatisfy(\.isNumber) }) {
            return true
        }
        if scheme != nil || (labels.count >= 2 && labels[0] == "www") { return isDomain(domain) }
        let classic = ["com", "net", "int", "edu", "gov", "org", "info", "mil"]
        return labels.count >= 2 && classic.contains(String(domain))
            && labels.dropLast().allSatisfy { 2...63 ~= $0.count }
    }

    private func isPort(_ text: Substring?) -> Bool {
        text.map { 1...5 ~= $0.count && $0.allSatisfy(\.isNumber) } ?? true
    }

    private func isLabel(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { $0.isWordCharacter || $0 == "-" || $0 == "%" }
    }

    private func isDomain(_ text: Substring) -> Bool {
        if text.hasPrefix("xn--") { return 6...63 ~= text.count }
        return 2...63 ~= text.count && text.unicodeScalars.allSatisfy { "a"..."z" ~= $0 }
    }
}
