import Foundation
import LeapJSON
import OrderedCollections

/// A form with files, as browsers and clients of OpenAI's send it.
///
/// Source: RFC 7578, sections 4.1 to 4.4; RFC 2046, section 5.1.1 for boundaries.
struct MultipartForm: Sendable {
    /// Texts by the names of their fields; of a list, the first that is not empty.
    private(set) var texts: OrderedDictionary<String, String> = [:]
    /// Contents of files by the names of their fields.
    private(set) var files: OrderedDictionary<String, Data> = [:]

    /// The maximum number of parts.
    private static let mostParts = 64

    /// Reads the body of a request.
    ///
    /// - Parameter type: The content type, which has the boundary.
    /// - Throws: The reason why it is invalid.
    init(_ body: [UInt8], type: String) throws(APIError) {
        guard type.lowercased().hasPrefix("multipart/form-data") else {
            throw APIError(.unsupportedContent, "the body must be a form (multipart/form-data), not '\(type)'")
        }
        guard let boundary = Self.parameters(of: type)["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw APIError(.invalid, "the form's content type must have a boundary of 1 to 70 characters")
        }
        // Every boundary but the first follows a line break, which does not belong to the part.
        var rest = Data("\r\n".utf8 + body)
        let mark = Data("\r\n--\(boundary)".utf8)
        guard let first = rest.range(of: mark) else { throw APIError(.invalid, "the form has no parts") }
        rest = rest[first.upperBound...]
        var count = 0
        while !rest.starts(with: Data("--".utf8)) {
            guard let end = rest.range(of: mark) else { throw APIError(.invalid, "the form ends within a part") }
            try add(rest[rest.startIndex..<end.lowerBound])
            rest = rest[end.upperBound...]
            count += 1
            guard count <= Self.mostParts else {
                throw APIError(.invalid, "the form has more than \(Self.mostParts) parts")
            }
        }
    }

    /// Reads a part: everything after its boundary.
    private mutating func add(_ part: Data) throws(APIError) {
        guard let headEnd = part.range(of: Data("\r\n\r\n".utf8)) else {
            throw APIError(.invalid, "a part of the form has no header")
        }
        let head = String(decoding: part[..<headEnd.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
        let parameters = Self.parameters(of: disposition ?? "")
        guard let name = parameters["name"] else { throw APIError(.invalid, "a part of the form has no name") }
        let content = Data(part[headEnd.upperBound...])
        let isFile = parameters["filename"] != nil || parameters["filename*"] != nil
        let isKnown = isFile ? files[name] != nil : texts[name] != nil
        // Clients send the elements of a list as fields of the same name.
        guard !isKnown || name.hasSuffix("[]") else { throw .invalid(name, "appears twice in the form") }
        if isFile {
            files[name] = content
        } else if texts[name, default: ""].isEmpty {
            texts[name] = String(decoding: content, as: UTF8.self)
        }
    }

    /// The parameters of a header, such as `; name="value"`, by their names in lower case. Of several with the same name,
    /// the first one counts.
    private static func parameters(of header: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for part in parts(of: header).dropFirst() {
            guard let mark = part.firstIndex(of: "=") else { continue }
            let name = part[..<mark].trimmingCharacters(in: .whitespaces).lowercased()
            let value = part[mark...].dropFirst().trimmingCharacters(in: .whitespaces)
            if parameters[name] == nil { parameters[name] = unquoted(value) }
        }
        return parameters
    }

    /// The parts of a header between semicolons that are not quoted.
    private static func parts(of header: String) -> [String] {
        var parts = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in header {
            if character == ";", !isQuoted {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && character == "\\"
        }
        return parts
    }

    /// A value without quotes, and without the backslashes that escape characters between them.
    private static func unquoted(_ value: String) -> String {
        guard value.hasPrefix("\"") else { return value }
        var (text, isEscaped) = ("", false)
        for character in value.dropFirst() {
            if !isEscaped, character == "\"" { break }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { text.append(character) }
        }
        return text
    }

    /// The texts as fields. Empty ones count as absent: a form has no other way to leave a field out that it shows.
    ///
    /// - Parameter literals: Names of fields that are numbers or booleans, which a form cannot distinguish from texts.
    func fields(literals: Set<String>) -> FieldReader {
        let given = texts.filter { !$0.value.isEmpty }
        var members = given.mapValues { JSONValue.string($0) }
        for name in literals {
            guard let text = given[name], let value = try? JSONValue(parsing: text) else { continue }
            members[name] = value
        }
        return FieldReader(members)
    }
}
