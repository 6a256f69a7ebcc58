@testable import LeapGeneration

extension PromptMedia {
    typealias Encode = @Sendable (_ isCancelled: () -> Bool) throws -> [[Float]]?

    /// Media whose rows are encoded in some parts, the last of which calls a closure.
    init(digest: [UInt8], rowCount: Int, parts: Int = 1, encode: @escaping Encode) {
        self.init(digest: digest, rowCount: rowCount) { _ in PartwiseEncoding(parts: parts, encode: encode) }
    }
}

/// Does nothing in all parts but the last.
private final class PartwiseEncoding: MediaEncoding {
    private let parts: Int
    private let encode: PromptMedia.Encode
    private var done = 0

    init(parts: Int, encode: @escaping PromptMedia.Encode) {
        self.parts = parts
        self.encode = encode
    }

    var progress: Double { Double(done) / Double(parts) }

    func advance(_ isCancelled: () -> Bool) throws -> [[Float]]? {
        guard done == parts - 1 else {
            done += 1
            return nil
        }
        return try encode(isCancelled)
    }
}
