import Foundation
import LeapConvert
import LeapGGUF
import LeapJSON
import LeapTokenizer
import OrderedCollections
import Testing
import _LeapTestSupport

@Suite("Conversion of vocabularies")
struct VocabularyTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func metadata(ofFolder path: String) throws -> GGUFMetadata {
        let output = temporary.path("model.gguf")
        try ModelConversion(ModelFolder(path: path)).write(to: output)
        return try GGUFFile(path: output).metadata
    }

    private func texts(_ metadata: GGUFMetadata) throws -> [[UInt8]] {
        let strings = try metadata.strings("tokenizer.ggml.tokens")
        return strings.indices.map { Array(strings.utf8(at: $0)) }
    }

    // MARK: WordPiece

    @Test("A continuation piece of a combining mark loses its ##, and an added token keeps its text")
    func wordPieces() throws {
        let path = try FolderFixture(name: "bert").assemble(in: temporary)
        let url = URL(filePath: path).appending(path: "tokenizer.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        try Data(text.replacing("\"#\": 7,", with: "\"##\u{301}\": 7,").utf8).write(to: url)
        try FolderFixture.edit(path, "tokenizer.json") {
            $0["added_tokens"] = .array(
                ($0["added_tokens"]?.array ?? []) + [["id": 9, "content": "<q>", "special": false]])
        }
        let found = try metadata(ofFolder: path)
        #expect(try texts(found)[7] == Array("\u{301}".utf8))
        #expect(try texts(found)[9] == Array("<q>".utf8))
        let tokens = try Tokenizer(metadata: found).encode("a <q>!", addSpecial: false, parseSpecial: false)
        #expect(tokens.suffix(2) == [9, 5])
    }

    @Test(
        "vocab.txt is read with either line ending, and its special tokens are found",
        arguments: ["\n", "\r\n"])
    func words(end: String) throws {
        let path = try FolderFixture(name: "bert").assemble(in: temporary)
        let whole = try metadata(ofFolder: path)
        let url = URL(filePath: path).appending(path: "tokenizer.json")
        let vocabulary = try JSONValue(parsing: Data(contentsOf: url))["model"]?["vocab"]?.object ?? [:]
        // They are in the order of their ids.
        let words = vocabulary.keys
        try FileManager.default.removeItem(at: url)
        try Data((words.joined(separator: end) + end).utf8).write(to: URL(filePath: path).appending(path: "vocab.txt"))
        try FolderFixture.edit(path, "tokenizer_config.json") {
            for role in ["cls", "sep", "pad", "unk", "mask"] { $0["\(role)_token"] = nil }
        }
        let found = try metadata(ofFolder: path)
        #expect(try texts(found) == texts(whole))
        for (role, id) in [("bos", 2), ("eos", 3), ("unknown", 1), ("padding", 0), ("mask", 4)] {
            #expect(found.value("tokenizer.ggml.\(role)_token_id") == .uint32(UInt32(id)))
        }
    }

    // MARK: SentencePiece

    /// A folder whose SentencePiece vocabulary is in `tokenizer.json`, with changes to it.
    private func pieces(_ changes: [String: JSONValue]) throws -> String {
        let path = try FolderFixture(name: "gemma3").assemble(in: temporary)
        try FileManager.default.removeItem(atPath: path + "/tokenizer.model")
        let url = URL(filePath: path).appending(path: "tokenizer.json")
        let model: JSONValue = [
            "type": "BPE", "byte_fallback": true, "merges": ["a \u{301}"],
            "vocab": ["<pad>": 0, "</s>": 1, "<s>": 2, "<unk>": 3, "a": 6, "\u{301}": 7, "a\u{301}": 8],
        ]
        try Data(JSONValue.object(["model": model]).text().utf8).write(to: url)
        try FolderFixture.edit(path, "tokenizer.json") { $0.merge(changes) { $1 } }
        return path
    }

    @Test("Known steps of published vocabularies are accepted, and a merge may contain a combining mark")
    func steps() throws {
        let space: JSONValue = ["type": "Replace", "pattern": ["String": " "], "content": "\u{2581}"]
        let normalizer: JSONValue = [
            "type": "Sequence", "normalizers": [["type": "NFC"], ["type": "Prepend", "prepend": "\u{2581}"], space],
        ]
        let split: JSONValue = ["type": "Split", "pattern": ["String": " "], "behavior": "MergedWithPrevious"]
        let found = try metadata(ofFolder: pieces(["normalizer": normalizer, "pre_tokenizer": split]))
        #expect(try found.boolIfPresent("tokenizer.ggml.add_space_prefix") == true)
        #expect(try found.floats("tokenizer.ggml.scores")[8] == 0)
    }

    private static let prefixes: [(step: [String: JSONValue], adds: Bool, scheme: String?)] = [
        (["prepend_scheme": "first", "split": false], true, "first"), (["prepend_scheme": "always"], true, "always"),
        (["add_prefix_space": true], true, "always"), (["prepend_scheme": "never"], false, nil),
        (["add_prefix_space": false], false, nil),
    ]

    @Test("The scheme of prepending spaces is converted", arguments: prefixes)
    func prefix(step: [String: JSONValue], adds: Bool, scheme: String?) throws {
        var members = OrderedDictionary(uniqueKeysWithValues: step.map { ($0.key, $0.value) })
        members["type"] = "Metaspace"
        let path = try pieces(["pre_tokenizer": .object(members)])
        try FolderFixture.edit(path, "tokenizer_config.json") { $0["add_prefix_space"] = nil }
        let found = try metadata(ofFolder: path)
        #expect(try found.boolIfPresent("tokenizer.ggml.add_space_prefix") == adds)
        #expect(try found.stringIfPresent("leap.tokenizer.prepend_scheme") == scheme)
    }

    @Test(
        "Unsupported steps are refused, and the error names the step",
        arguments: [("normalizer", "NFKC"), ("normalizer", "Lowercase"), ("pre_tokenizer", "Digits")])
    func refusedSteps(key: String, type: String) throws {
        let path = try pieces([key: ["type": .string(type)]])
        let error = #expect(throws: ConversionError.self) { _ = try ModelConversion(ModelFolder(path: path)) }
        #expect(error?.description.contains("pre-tokenizer step that GGUF files cannot express: \(type)") ?? false)
    }

    @Test("The normaliser of tokenizer.model is converted, unless tokenizer.json disables it")
    func normalizerOfModel() throws {
        let path = try FolderFixture(name: "gemma3").assemble(in: temporary)
        let url = URL(filePath: path).appending(path: "tokenizer.model")
        // Field 3: an empty character map of five bytes, and whether extra spaces are removed.
        func append(_ removes: UInt8) throws {
            let field: [UInt8] = [0x1A, 11, 0x12, 5, 4, 0, 0, 0, 0, 0x18, 0, 0x20, removes]
            try Data(Array(Data(contentsOf: url)) + field).write(to: url)
        }
        try append(1)
        var found = try metadata(ofFolder: path)
        #expect(try found.integersIfPresent("tokenizer.ggml.precompiled_charsmap") == [4, 0, 0, 0, 0])
        #expect(try found.boolIfPresent("tokenizer.ggml.remove_extra_whitespaces") == true)
        try append(0)
        found = try metadata(ofFolder: path)
        #expect(try found.boolIfPresent("tokenizer.ggml.remove_extra_whitespaces") == nil)
        try Data(#"{"normalizer": null, "pre_tokenizer": null}"#.utf8)
            .write(to: URL(filePath: path).appending(path: "tokenizer.json"))
        found = try metadata(ofFolder: path)
        #expect(found.value("tokenizer.ggml.precompiled_charsmap") == nil)
        try FolderFixture.edit(path, "tokenizer_config.json") { $0["add_prefix_space"] = true }
        try FolderFixture.edit(path, "tokenizer.json") {
            $0["pre_tokenizer"] = ["type": "Metaspace", "prepend_scheme": "first", "split": false]
        }
        found = try metadata(ofFolder: path)
        #expect(try found.stringIfPresent("leap.tokenizer.prepend_scheme") == "first")
    }

    @Test("A token that is matched after spaces have been replaced strips none", arguments: [true, false])
    func normalizedStrips(replaces: Bool) throws {
        let space: JSONValue = ["type": "Replace", "pattern": ["String": " "], "content": "\u{2581}"]
        let tokens: [JSONValue] = [(9, true), (10, false)].map { id, isNormalized in
            [
                "id": .integer(id), "content": .string("<\(id)>"), "special": true, "lstrip": true, "rstrip": true,
                "normalized": .bool(isNormalized),
            ]
        }
        let path = try pieces(["added_tokens": .array(tokens), "normalizer": replaces ? space : .null])
        let found = try metadata(ofFolder: path)
        for side in ["left", "right"] {
            let ids = try found.integersIfPresent("leap.tokenizer.strips_\(side)")
            #expect(ids == (replaces ? [10] : [9, 10]))
        }
    }

    // MARK: Byte level

    private static let processors: [JSONValue] = [
        .null, ["type": "TemplateProcessing", "single": [["Sequence": ["id": "A", "type_id": 0]]], "pair": []],
    ]

    @Test("Tokenizers without a class of their own add no tokens but those that the files state", arguments: processors)
    func additions(processor: JSONValue) throws {
        let path = try FolderFixture(name: "qwen2").assemble(in: temporary)
        func flags(_ name: String, adds: Bool? = nil) throws -> [Bool?] {
            try FolderFixture.edit(path, "tokenizer.json") { $0["post_processor"] = processor }
            try FolderFixture.edit(path, "tokenizer_config.json") {
                $0["tokenizer_class"] = .string(name)
                $0["add_bos_token"] = adds.map(JSONValue.bool)
            }
            let found = try metadata(ofFolder: path)
            return try ["bos", "eos"].map { try found.boolIfPresent("tokenizer.ggml.add_\($0)_token") }
        }
        for name in ["PreTrainedTokenizerFast", "TokenizersBackend"] {
            #expect(try flags(name) == [false, false])
            #expect(try flags(name, adds: true) == [true, false])
        }
        #expect(try flags("LlamaTokenizer") == [nil, nil])
    }

    @Test("The tokens that strip spaces are converted, and an NFC normalizer is accepted")
    func strips() throws {
        let path = try FolderFixture(name: "qwen2").assemble(in: temporary)
        try FolderFixture.edit(path, "tokenizer.json") {
            $0["normalizer"] = ["type": "NFC"]
            let added = ($0["added_tokens"]?.array ?? []).map { token in
                var members = token.object ?? [:]
                members["rstrip"] = .bool(members["content"] == "<|end|>")
                members["lstrip"] = .bool(members["content"] == "<|begin|>")
                return JSONValue.object(members)
            }
            $0["added_tokens"] = .array(added)
        }
        let found = try metadata(ofFolder: path)
        let tokenizer = try Tokenizer(metadata: found)
        let (begin, end) = try (#require(tokenizer.token(for: "<|begin|>")), #require(tokenizer.token(for: "<|end|>")))
        #expect(try found.integersIfPresent("leap.tokenizer.strips_left") == [Int(begin)])
        #expect(try found.integersIfPresent("leap.tokenizer.strips_right") == [Int(end)])
        let tokens = tokenizer.encode(" <|begin|><|end|>\n ", addSpecial: false, parseSpecial: true)
        #expect(tokens == [begin, end])
    }
}
