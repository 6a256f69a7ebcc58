import Foundation
import LeapGGUF
import Testing
import _LeapTestSupport

@testable import LeapTokenizer

/// Ids and texts as llama.cpp gives them for whole vocabularies.
@Suite("Reference ids")
struct ReferenceTests {
    /// The output of `make-ids.py`.
    private struct Reference: Decodable {
        struct Case: Decodable {
            let text: String
            /// Without BOS and special tokens.
            let plain: [Token]
            /// With both.
            let special: [Token]
            /// Decoded from `plain`, with spaces before punctuation removed for some names of pre-tokenizers.
            let cleanedText: String
            /// Decoded from `special`, with special tokens shown.
            let specialText: String
        }
        let endOfGeneration: Set<Token>
        let cases: [Case]
    }

    /// The vocabulary for which llama.cpp cleans up decoded text.
    private static let cleaned = "chat"

    /// A vocabulary of each kind, with its reference.
    private static let vocabularies = [
        (fixture("sentencepiece.gguf").path, "sentencepiece"), (Fixture(name: "lfm2-chat-q8_0").path, "chat"),
    ]

    private func reference(_ name: String) throws -> Reference {
        try JSONDecoder().decode(Reference.self, from: Data(contentsOf: fixture(name + ".json")))
    }

    @Test("Text is encoded to the reference's ids", arguments: vocabularies)
    func encoding(path: String, name: String) throws {
        let tokenizer = try tokenizer(at: path)
        for item in try reference(name).cases {
            let text = item.text.debugDescription
            #expect(tokenizer.encode(item.text, addSpecial: false, parseSpecial: false) == item.plain, "\(text)")
            #expect(tokenizer.encode(item.text, addSpecial: true, parseSpecial: true) == item.special, "\(text)")
        }
    }

    @Test("Ids are decoded to the reference's text", arguments: vocabularies)
    func decoding(path: String, name: String) throws {
        let tokenizer = try tokenizer(at: path)
        for item in try reference(name).cases {
            let cleaned = tokenizer.decode(item.plain, cleanUpSpaces: name == Self.cleaned)
            #expect(cleaned == item.cleanedText, "\(item.text.debugDescription)")
            let special = tokenizer.decode(item.special, renderSpecial: true, cleanUpSpaces: name == Self.cleaned)
            #expect(special == item.specialText, "\(item.text.debugDescription)")
        }
    }

    @Test("Encoding and decoding plain text gives the text back", arguments: vocabularies)
    func roundTrip(path: String, name: String) throws {
        let tokenizer = try tokenizer(at: path)
        for item in try reference(name).cases {
            // SentencePiece's space character is not preserved, and after an added token there is an extra space.
            if tokenizer.addsSpacePrefix, item.text.contains("▁") || item.text.contains("<|") { continue }
            #expect(tokenizer.decode(item.plain) == item.text)
            let withBOS = tokenizer.encode(item.text, addSpecial: true, parseSpecial: false)
            #expect(tokenizer.decode(withBOS) == item.text)
        }
    }

    @Test("The end-of-generation tokens match the reference", arguments: vocabularies)
    func endOfGeneration(path: String, name: String) throws {
        #expect(try tokenizer(at: path).endOfGeneration == reference(name).endOfGeneration)
    }

    @Test("The chat prompts of the fixture models are encoded to the ids in their references", arguments: Fixture.all)
    func chatPrompts(model: Fixture) throws {
        struct Prompts: Decodable {
            struct Prompt: Decodable {
                let tokens: [Token]
                let text: String?
            }
            let prompts: [Prompt]
        }
        let tokenizer = try tokenizer(at: model.path)
        let file = Fixture.folder.appendingPathComponent(model.name + ".json")
        let prompts = try JSONDecoder().decode(Prompts.self, from: Data(contentsOf: file)).prompts
        let chats = prompts.filter { $0.text != nil }
        #expect(!chats.isEmpty)
        for chat in chats {
            let ids = tokenizer.encode(chat.text ?? "", addSpecial: false, parseSpecial: true)
            #expect(ids == chat.tokens)
        }
    }
}

/// A folder of reference data, given by the environment variable `LEAP_GOLDENS`: its `tokens` folder has files
/// `NAME.json` beside the vocabularies `NAME.gguf` that they are of; vocabularies may also lie in `models`.
@Suite("Reference data outside the repository", .enabled(if: referenceFolder != nil))
struct ReferenceFolderTests {
    private struct Reference: Decodable {
        struct Input: Decodable {
            let text: String
            let llama_cpp_ids: [Token]
        }
        struct Edge: Decodable {
            let text: String
            let ids: [Token]
            let ids_add_special_parse_special: [Token]
            let detok_hex: String
        }
        let file: String
        let inp_cases: [Input]
        let edge_cases: [Edge]
    }

    private static var files: [URL] {
        guard let folder = referenceFolder?.appendingPathComponent("tokens") else { return [] }
        let all = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return all.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }

    @Test("All ids and all decoded bytes match the reference", arguments: files)
    func ids(file: URL) throws {
        let reference = try JSONDecoder().decode(Reference.self, from: Data(contentsOf: file))
        let places = ["tokens", "models"].compactMap {
            referenceFolder?.appendingPathComponent("\($0)/\(reference.file)")
        }
        // A reference may be of a model that is not in the folder.
        guard let model = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else { return }
        let tokenizer = try tokenizer(at: model.path)
        for item in reference.inp_cases {
            #expect(tokenizer.encode(item.text, addSpecial: false, parseSpecial: false) == item.llama_cpp_ids)
        }
        for item in reference.edge_cases {
            #expect(tokenizer.encode(item.text, addSpecial: false, parseSpecial: false) == item.ids)
            let special = tokenizer.encode(item.text, addSpecial: true, parseSpecial: true)
            #expect(special == item.ids_add_special_parse_special)
        }
        // llama.cpp cleans up text of some byte-level vocabularies.
        let agrees = [false, true].contains { cleansUp in
            reference.edge_cases.allSatisfy { item in
                let text = tokenizer.decode(item.ids, cleanUpSpaces: cleansUp)
                return text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == item.detok_hex
            }
        }
        #expect(agrees)
    }
}

private let referenceFolder = ProcessInfo.processInfo.environment["LEAP_GOLDENS"].map { URL(fileURLWithPath: $0) }
