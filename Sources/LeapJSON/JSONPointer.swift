import Foundation

/// The steps of a JSON Pointer in a URI's fragment, such as `/$defs/Place`.
///
/// Source: RFC 6901, sections 3, 4 and 6.
package enum JSONPointer {
    /// The keys of a pointer without its leading slash; `nil` if a percent sign is not followed by a byte.
    package static func keys(of pointer: Substring) -> [String]? {
        // Foundation decodes slowly, and hardly any pointer needs decoding.
        let decoded = pointer.utf8.contains(UInt8(ascii: "%")) ? pointer.removingPercentEncoding : String(pointer)
        return decoded?.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { token in
            let key = String(Substring(token))
            guard token.contains(UInt8(ascii: "~")) else { return key }
            return key.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
        }
    }
}

extension JSONValue {
    /// The member of an object, or the element of an array, with a key of a pointer; `nil` if there is none.
    package func child(_ key: String) -> JSONValue? {
        switch self {
        case .object: self[key]
        case .array(let elements): Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default: nil
        }
    }
}
