import Foundation
import LeapGGUF
import LeapTokenizer
import _LeapTestSupport

/// Text to token ids and back, with a fixture's small vocabulary and with every vocabulary of a folder of reference
/// data, which the environment variable `LEAP_GOLDENS` may name.
func registerTokenizers() {
    for path in [Fixture(name: "lfm2-tied-f32").path] + vocabularies() {
        registerEncoding(path)
        registerDecoding(path)
    }
}

private let textBytes = 1_000_000

private func vocabularies() -> [String] {
    guard let folder = ProcessInfo.processInfo.environment["LEAP_GOLDENS"] else { return [] }
    let tokens = URL(filePath: folder).appending(path: "tokens")
    let files = (try? FileManager.default.contentsOfDirectory(at: tokens, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "gguf" }.map(\.path).sorted()
}

private func name(_ topic: String, _ path: String) -> [String] {
    ["tokenizer", topic, URL(filePath: path).deletingPathExtension().lastPathComponent, "prose"]
}

private func registerEncoding(_ path: String) {
    measure(name("encode", path), Work(bytes: textBytes)) {
        let tokenizer = try Tokenizer(metadata: GGUFFile(path: path).metadata)
        let text = try TestData.prose(bytes: textBytes)
        return Iteration { _ = tokenizer.encode(utf8: text, addSpecial: false, parseSpecial: true) }
    }
}

private func registerDecoding(_ path: String) {
    // The number of tokens is known only after encoding, so the rate is in bytes of text.
    measure(name("decode", path), Work(bytes: textBytes)) {
        let tokenizer = try Tokenizer(metadata: GGUFFile(path: path).metadata)
        let ids = tokenizer.encode(utf8: try TestData.prose(bytes: textBytes), addSpecial: false, parseSpecial: true)
        return Iteration { _ = tokenizer.decode(ids) }
    }
}
