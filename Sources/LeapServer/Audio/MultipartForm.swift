import Foundation
import LeapJSON
import OrderedCollections

/// A form with files, as browsers and clients of OpenAI's send it.
///
/// Source: RFC 7578, sections 4.1 to 4.4; RFC 2046, section 5.1.1 for boundaries.
struct MultipartForm: Sendable {
    /// Texts by the names of their fields.
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
        guard let boundary = Self.parameter("boundary", of: type), (1...70).contains(boundary.utf8.count) else {
            throw APIError(.invalid, "the form's content type must have a boundary of 1 to 70 characters")
        }
        // Every boundary but the first follows a line break, which does not belong to the part.
        var rest = Data("\r\n".utf8 + body)
        let mark = Data("\r\n--\(boundary)".utf8)
        guard let first = rest.range(of: mark) else { throw APIError(.invalid, "the form has no parts") }
        rest = rest[first.upperBound...]
        while !rest.starts(with: Data("--".utf8)) {
            guard let end = rest.range(of: mark) else { throw APIError(.invalid, "the form ends within a part") }
            try add(rest[rest.startIndex..<end.lowerBound])
            rest = rest[end.upperBound...]
            guard texts.count + files.count <= Self.mostParts else {
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
        guard let disposition = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
            let name = Self.parameter("name", of: disposition)
        else { throw APIError(.invalid, "a part of the form has no name") }
        let content = Data(part[headEnd.upperBound...])
        if Self.parameter("filename", of: disposition) != nil {
            guard files.updateValue(content, forKey: name) == nil else {
                throw .invalid(name, "appears twice in the form")
            }
        } else {
            guard texts.updateValue(String(decoding: content, as: UTF8.self), forKey: name) == nil else {
                throw .invalid(name, "appears twice in the form")
            }
        }
    }

    /// The value of a parameter in a header, such as `; name="value"`.
    private static func parameter(_ name: String, of header: String) -> String? {
        for part in header.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, pair[0].lowercased() == name else { continue }
            return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return nil
    }

    /// The texts as fields.
    ///
    /// - Parameter literals: Names of fields that are numbers or booleans, which a form cannot distinguish from texts.
    func fields(literals: Set<String>) -> FieldReader {
        var members = texts.mapValues { JSONValue.string($0) }
        for name in literals {
            guard let text = texts[name], let value = try? JSONValue(parsing: text) else { continue }
            members[name] = value
        }
        return FieldReader(members)
    }
}
