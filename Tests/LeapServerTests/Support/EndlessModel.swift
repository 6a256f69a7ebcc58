import Foundation
import _LeapTestSupport

/// A model whose answers end when somebody stops them.
///
/// A fixture knows short answers by heart, in far less time than a test takes to look: this is one with a context of 60,000
/// tokens, to be asked not to end.
struct EndlessModel: Sendable {
    let path: String
    private let folder: TemporaryFolder

    init() throws {
        var file = try Data(contentsOf: URL(fileURLWithPath: Fixture(name: "lfm2-chat-q8_0").path))
        let key = Data("lfm2.context_length".utf8)
        guard let range = file.range(of: key) else { throw CocoaError(.fileReadCorruptFile) }
        // Behind the key stand four bytes of its type.
        let place = range.upperBound + 4
        file.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(60_000).littleEndian, [UInt8].init))
        folder = try TemporaryFolder()
        path = try folder.write("endless.gguf", file)
    }

    /// A question to it.
    static func question(tokens: Int = 50_000, streams: Bool, more: String = "") -> String {
        """
        {"messages":[{"role":"user","content":"Hi"}],"max_tokens":\(tokens),"temperature":2,"ignore_eos":true,\
        \(more)"stream":\(streams)}
        """
    }
}
