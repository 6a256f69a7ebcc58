public import Foundation

/// A file that a ``ScriptedServer`` serves.
public struct ServedFile: Sendable {
    /// Its bytes.
    public var bytes: Data
    /// Its entity tag; nil for none.
    public var tag: String?
    /// Additional header fields of its responses.
    public var headers: [String: String]

    /// A file.
    public init(_ bytes: Data, tag: String? = "\"v1\"", headers: [String: String] = [:]) {
        self.bytes = bytes
        self.tag = tag
        self.headers = headers
    }

    /// A document of text.
    public init(text: String, headers: [String: String] = [:]) { self.init(Data(text.utf8), headers: headers) }

    /// A GGUF file of a size, at least 129 bytes: one tensor, whose bytes are different everywhere.
    ///
    /// - Parameter architecture: The value of `general.architecture`, of at most 16 bytes.
    public static func model(size: Int, seed: UInt64 = 1, architecture: String = "llama") -> Data {
        let start = 128
        var bytes = Data("GGUF".utf8)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func append(_ text: String) {
            append(UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
        append(UInt32(3))
        append(UInt64(1))
        append(UInt64(1))
        append("general.architecture")
        append(UInt32(8))
        append(architecture)
        append("t")
        append(UInt32(1))
        append(UInt64(size - start))
        append(UInt32(24))  // I8
        append(UInt64(0))
        bytes.append(Data(count: start - bytes.count))
        bytes.reserveCapacity(size + 8)
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        while bytes.count < size {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            append(state)
        }
        return bytes.prefix(size)
    }
}

extension ServerConnection {
    /// Serves a file as a standard server does: `HEAD`, an open-ended `Range`, `If-Range`, 416.
    ///
    /// - Parameters:
    ///   - cut: The most bytes of the body that are sent before the connection is closed; nil sends all.
    ///   - knowsRanges: Whether `Range` is supported.
    public func serve(
        _ file: ServedFile, to request: ServerRequest, cut: Int? = nil, knowsRanges: Bool = true
    ) async throws {
        var headers = file.headers
        headers["ETag"] = file.tag
        var (status, first) = (200, 0)
        let isSame = request.headers["if-range"] == nil || request.headers["if-range"] == file.tag
        if knowsRanges, isSame, let start = request.rangeStart {
            guard start < file.bytes.count else {
                return try await respond(416, headers: ["Content-Range": "bytes */\(file.bytes.count)"])
            }
            (status, first) = (206, start)
            headers["Content-Range"] = "bytes \(start)-\(file.bytes.count - 1)/\(file.bytes.count)"
        }
        let body = file.bytes.dropFirst(first)
        headers["Content-Length"] = headers["Content-Length"] ?? "\(body.count)"
        guard request.method != "HEAD" else { return try await respond(status, headers: headers, omitsBody: true) }
        guard let cut, cut < body.count else { return try await respond(status, headers: headers, body: body) }
        try await respond(status, headers: headers, omitsBody: true)
        try await write(body.prefix(cut))
        close()
    }
}
