import Foundation
import LeapGGUF
import LeapTokenizer
import _LeapTestSupport

/// A model whose answers run until they are stopped.
///
/// A fixture's answers are short and end long before a test can look at them: this one has a context of 60,000 tokens,
/// and is asked for an answer that does not end.
struct EndlessModel: Sendable {
    let path: String
    private let folder: TemporaryFolder

    init() throws {
        var file = try Data(contentsOf: URL(fileURLWithPath: Fixture(name: "lfm2-chat-q8_0").path))
        let key = Data("lfm2.context_length".utf8)
        guard let range = file.range(of: key) else { throw CocoaError(.fileReadCorruptFile) }
        // The key is followed by four bytes for its type.
        let place = range.upperBound + 4
        file.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(60_000).littleEndian, [UInt8].init))
        folder = try TemporaryFolder()
        path = try folder.write("endless.gguf", file)
    }

    /// Forbids the mark before a call: random text has it now and then, and what follows is withheld until a call ends.
    private static let bias: String = {
        let metadata = try? GGUFFile(path: Fixture(name: "lfm2-chat-q8_0").path).metadata
        let mark = metadata.flatMap { try? Tokenizer(metadata: $0).token(for: "<|tool_call_start|>") }
        return mark.map { "\"\($0)\":false" } ?? ""
    }()

    /// A request body for this model.
    static func question(tokens: Int = 50_000, streams: Bool, more: String = "") -> String {
        """
        {"messages":[{"role":"user","content":"Hi"}],"max_tokens":\(tokens),"temperature":2,"ignore_eos":true,\
        "logit_bias":{\(bias)},\(more)"stream":\(streams)}
        """
    }
}
