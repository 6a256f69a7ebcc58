import Foundation
import LeapGGUF
import _LeapTestSupport

@testable import LeapTokenizer

/// A file of `Fixtures/tokens`.
func fixture(_ name: String) -> URL { Fixture.folder.appendingPathComponent("tokens/\(name)") }

/// The tokenizer of a model file.
func tokenizer(at path: String) throws -> Tokenizer { try Tokenizer(metadata: GGUFFile(path: path).metadata) }

/// Each byte's spelling in a byte-level vocabulary, by byte.
let byteSpellings: [String] = (0...UInt8.max).map { byte in
    var spelling: [UInt8] = []
    ByteLevel.appendSpelling(of: [byte], to: &spelling)
    return String(decoding: spelling, as: UTF8.self)
}

/// A byte-level vocabulary: token n is byte n, and `merged` and `added` follow.
func byteLevel(
    preTokenizer: String? = "gpt-2", merged: [String] = [], merges: [String] = [],
    added: [(text: String, type: TokenType)] = []
) -> TokenizerDescription {
    var description = TokenizerDescription(
        model: "gpt2", preTokenizer: preTokenizer, texts: byteSpellings + merged + added.map(\.text), merges: merges)
    description.types = Array(repeating: .normal, count: 256 + merged.count) + added.map(\.type)
    return description
}

/// A SentencePiece vocabulary: `<unk>`, `<s>`, `</s>`, 256 byte tokens from id 3 on, and `tokens` from id 259 on.
func sentencePiece(_ tokens: [(text: String, score: Float)]) -> TokenizerDescription {
    let bytes = (0...UInt8.max).map(ByteToken.text(of:))
    var description = TokenizerDescription(
        model: "llama", texts: ["<unk>", "<s>", "</s>"] + bytes + tokens.map(\.text))
    description.types =
        [.unknown, .control, .control] + Array(repeating: .byte, count: 256)
        + Array(repeating: .normal, count: tokens.count)
    description.scores = Array(repeating: 0, count: 259) + tokens.map(\.score)
    return description
}

/// Text of random scalars, many of which some pattern treats specially.
func randomText(_ random: inout SeededRandomNumberGenerator, upTo count: Int) -> String {
    let usual: [Unicode.Scalar] = [
        " ", " ", "\n", "\t", "a", "b", "Z", "s", "'", "1", "²", ".", "!", "$", "é", "中", "한", "ह", "\u{301}", "😀",
        "\u{A0}",
        "\u{3000}", "<", "|", ">", "\0", "\r",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...count, using: &random) {
        let any = Unicode.Scalar(UInt32.random(in: 0...0x1_F9FF, using: &random))
        let rare = Int.random(in: 0..<8, using: &random) == 0
        text.append((rare ? any : nil) ?? usual[Int.random(in: 0..<usual.count, using: &random)])
    }
    return String(text)
}
