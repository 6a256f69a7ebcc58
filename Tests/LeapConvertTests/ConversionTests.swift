import Foundation
import LeapBlocks
import LeapDigest
import LeapGGUF
import LeapJSON
import LeapModels
import LeapTokenizer
import OrderedCollections
import Testing
import _LeapTestSupport

@testable import LeapConvert

@Suite("Conversion of model folders")
struct ConversionTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private static let types: [(String, GGMLType?)] = [("auto", nil), ("f16", .F16), ("q8_0", .Q8_0)]

    @Test("Every architecture has a fixture")
    func coverage() throws {
        let found = try FolderFixture.all.map { fixture in
            try ModelConversion(ModelFolder(path: fixture.assemble(in: temporary))).architecture
        }
        #expect(found.count >= 28 && Set(found).sorted() == ModelConversion.architectures)
    }

    @Test("A model in several files with an index converts to the same bytes as in one file", arguments: 1...3)
    func parts(count: Int) throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        func converted() throws -> Data {
            let output = temporary.path("model.gguf")
            try ModelConversion(ModelFolder(path: path)).write(to: output)
            return try Data(contentsOf: URL(filePath: output))
        }
        let whole = try converted()
        try Self.divide(path, into: count)
        #expect(try converted() == whole)
    }

    @Test("An index beside model.safetensors is ignored, as transformers do")
    func idleIndex() throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        let index: JSONValue = ["weight_map": ["model.norm.weight": "absent.safetensors"]]
        try Data(index.text().utf8).write(to: URL(filePath: path + "/model.safetensors.index.json"))
        #expect(try !ModelConversion(ModelFolder(path: path)).tensors.isEmpty)
    }

    /// Replaces a folder's `model.safetensors` with several files and an index.
    private static func divide(_ path: String, into count: Int) throws {
        let folder = URL(filePath: path)
        let tensors = try SafetensorsFile(path: path + "/model.safetensors").tensors
        var places: OrderedDictionary<String, JSONValue> = [:]
        for part in 0..<count {
            let name = "model-0000\(part + 1)-of-0000\(count).safetensors"
            var (header, data): (OrderedDictionary<String, JSONValue>, [UInt8]) = ([:], [])
            for tensor in tensors[tensors.count * part / count..<tensors.count * (part + 1) / count] {
                let start = data.count
                data += tensor.bytes
                header[tensor.name] = [
                    "dtype": .string(tensor.type.rawValue), "shape": .array(tensor.shape.map { .integer($0) }),
                    "data_offsets": [.integer(start), .integer(data.count)],
                ]
                places[tensor.name] = .string(name)
            }
            let file = HandmadeSafetensors(header: JSONValue.object(header).text(), data: data)
            try Data(file.bytes).write(to: folder.appending(path: name))
        }
        try FileManager.default.removeItem(at: folder.appending(path: "model.safetensors"))
        let index: JSONValue = ["weight_map": .object(places)]
        try Data(index.text().utf8).write(to: folder.appending(path: "model.safetensors.index.json"))
    }

    @Test("Tensors are bit-identical to those of llama.cpp's converter", arguments: FolderFixture.all)
    func tensors(fixture: FolderFixture) throws {
        let folder = try ModelFolder(path: fixture.assemble(in: temporary))
        for (kind, type) in Self.types {
            let path = temporary.path("\(kind).gguf")
            try ModelConversion(folder, outputType: type).write(to: path)
            let file = try GGUFFile(path: path)
            let types = try fixture.expected["types"]
            // If no row is a whole number of blocks of 32, half precision is used instead.
            let expected = try #require((types?[kind] ?? types?["f16"])?.object)
            #expect(Set(file.tensors.map(\.name)) == Set(expected.keys), "\(kind)")
            for tensor in file.tensors {
                let found: JSONValue = [
                    .string(tensor.type.name), .array(tensor.dimensions.map { .integer($0) }),
                    .string(Self.digest(Array(tensor.bytes))),
                ]
                #expect(found == expected[tensor.name], "\(kind) \(tensor.name)")
            }
        }
    }

    @Test("Canonically equivalent tokens stay distinct")
    func canonicallyEqualTokens() throws {
        let fixture = try #require(FolderFixture.all.first { $0.name == "bert" })
        let folder = try fixture.assemble(in: temporary)
        let url = URL(filePath: folder).appending(path: "tokenizer.json")
        var text = try String(contentsOf: url, encoding: .utf8)
        // The letter K and the kelvin sign, and a composed and a decomposed letter.
        let tokens = [7: "K", 8: "\u{212A}", 9: "\u{E9}", 10: "e\u{301}"]
        for (id, old) in [(7, "#"), (8, "$"), (9, "%"), (10, "&")] {
            text = text.replacing("\"\(old)\": \(id),", with: "\"\(tokens[id] ?? "")\": \(id),")
        }
        try Data(text.utf8).write(to: url)
        let path = temporary.path("model.gguf")
        try ModelConversion(ModelFolder(path: folder)).write(to: path)
        let texts = try GGUFFile(path: path).metadata.strings("tokenizer.ggml.tokens")
        for (id, token) in tokens {
            #expect(Array(texts.utf8(at: id)).suffix(token.utf8.count) == Array(token.utf8)[...])
        }
    }

    @Test("Metadata and vocabulary match llama.cpp's converter", arguments: FolderFixture.all)
    func metadata(fixture: FolderFixture) throws {
        let path = temporary.path("model.gguf")
        try ModelConversion(ModelFolder(path: fixture.assemble(in: temporary))).write(to: path)
        let metadata = try GGUFFile(path: path).metadata
        let expected = try #require(fixture.expected["metadata"]?.object)
        for (key, value) in expected where !Self.isNotCompared(key) {
            let found = try #require(metadata.value(key), "\(key) is missing")
            #expect(Self.json(found) == value, "\(key)")
        }
        for key in metadata.keys where !key.hasPrefix("general.") && expected[key] == nil {
            #expect(Self.additions.contains { key.hasSuffix($0) }, "\(key) is not written by llama.cpp's converter")
        }
    }

    /// A version of the conversion, and the digest of all its results for these folders.
    private static let noted = (version: 8, digest: "01b198935ae4d85047366902d16a734ec6715a97a8b9bab26a8d792a3d46374b")

    @Test("The conversion version is raised whenever the converted files change")
    func version() throws {
        var digest = SHA256()
        for fixture in FolderFixture.all {
            let path = temporary.path("model.gguf")
            try ModelConversion(ModelFolder(path: fixture.assemble(in: temporary)), name: "model").write(to: path)
            digest.update(data: Array(try Data(contentsOf: URL(filePath: path))))
        }
        let found = digest.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(
            found == Self.noted.digest && ModelConversion.version == Self.noted.version,
            "raise ModelConversion.version, unless only a folder was added, and record it here with \(found)")
    }

    @Test(
        "Every converted model loads as a language or embedding model, with its tokenizer", arguments: FolderFixture.all
    )
    func loads(fixture: FolderFixture) throws {
        let path = temporary.path("model.gguf")
        try ModelConversion(ModelFolder(path: fixture.assemble(in: temporary))).write(to: path)
        let file = try GGUFFile(path: path)
        if Self.embeds(file.metadata) {
            _ = try Embedder(file)
        } else {
            _ = try LanguageModel.load(file)
        }
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let tokens = tokenizer.encode(
            "The capital of France is Paris, 1234 times.", addSpecial: false, parseSpecial: false)
        #expect(tokens.count > 5)
    }

    @Test("Every conversion passes the loader's checks before it is written", arguments: FolderFixture.all)
    func outline(fixture: FolderFixture) throws {
        let conversion = try ModelConversion(ModelFolder(path: fixture.assemble(in: temporary)))
        let outline = try conversion.outline()
        if Self.embeds(outline.metadata) {
            _ = try Embedder(outline)
        } else {
            _ = try LanguageModel.load(outline)
        }
        let path = temporary.path("model.gguf")
        try conversion.write(to: path)
        let file = try GGUFFile(path: path)
        #expect(outline.fileSize == file.fileSize)
        #expect(outline.tensors.map(\.name) == file.tensors.map(\.name))
        for (left, right) in zip(outline.tensors, file.tensors) {
            #expect(left.dimensions == right.dimensions && left.type == right.type)
            #expect(left.bytes.allSatisfy { $0 == 0 } || left.bytes.elementsEqual(right.bytes), "\(left.name)")
        }
    }

    @Test("A tensor of another shape than config.json says is found by the loader's checks")
    func contradiction() throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        try FolderFixture.edit(path, "config.json") { $0["intermediate_size"] = 24 }
        let outline = try ModelConversion(ModelFolder(path: path)).outline()
        let error = #expect(throws: ModelError.self) { _ = try LanguageModel.load(outline) }
        #expect(error?.description.contains("blk.0.ffn_") == true, "\(error.map(\.description) ?? "")")
    }

    private func metadata(ofFolder path: String) throws -> GGUFMetadata {
        let output = temporary.path("model.gguf")
        try ModelConversion(ModelFolder(path: path)).write(to: output)
        return try GGUFFile(path: output).metadata
    }

    @Test("A vocabulary without merges still encodes text")
    func noMerges() throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        try FolderFixture.edit(path, "tokenizer.json") { tokenizer in
            var model = tokenizer["model"]?.object ?? [:]
            model["merges"] = []
            tokenizer["model"] = .object(model)
        }
        let found = try metadata(ofFolder: path)
        #expect(try found.strings("tokenizer.ggml.merges").isEmpty)
        #expect(try !Tokenizer(metadata: found).encode("Hello", addSpecial: false, parseSpecial: false).isEmpty)
    }

    @Test("Null RoPE parameters fall back to the rest of the configuration")
    func nullInRotation() throws {
        let path = try FolderFixture(name: "phi3").assemble(in: temporary)
        try FolderFixture.edit(path, "config.json") { configuration in
            var rotation = configuration["rope_parameters"]?.object ?? [:]
            for key in ["partial_rotary_factor", "original_max_position_embeddings"] { rotation[key] = .null }
            configuration["rope_parameters"] = .object(rotation)
        }
        let found = try metadata(ofFolder: path)
        #expect(found.value("phi3.rope.dimension_count") == .uint32(6))
        #expect(found.value("phi3.rope.scaling.original_context_length") == .uint32(24))
    }

    @Test("Template files take precedence over the template in the settings and affect the digest")
    func namedTemplates() throws {
        let path = try FolderFixture(name: "qwen2").assemble(in: temporary)
        try FolderFixture.edit(path, "tokenizer_config.json") { $0["chat_template"] = "old" }
        let folder = URL(filePath: path)
        let place = folder.appending(path: "additional_chat_templates")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data("usual".utf8).write(to: folder.appending(path: "chat_template.jinja"))
        try Data("with tools".utf8).write(to: place.appending(path: "tool_use.jinja"))
        let before = try FolderDigest.of(ModelFolder(path: path))
        let found = try metadata(ofFolder: path)
        #expect(try found.string("tokenizer.chat_template") == "usual")
        #expect(try found.string("tokenizer.chat_template.tool_use") == "with tools")
        try Data("with other tools".utf8).write(to: place.appending(path: "tool_use.jinja"))
        #expect(try FolderDigest.of(ModelFolder(path: path)) != before)
    }

    @Test(
        "The settings of pooling are found under every spelling of their folder, and affect the digest",
        arguments: ["1_Pooling", "2_Pooling", "1_Pooling/", "./1_Pooling", ".//x/", "../1_Pooling", "1_Pooling/x", ""])
    func pooling(place: String) throws {
        let path = try FolderFixture(name: "nomic-bert").assemble(in: temporary)
        let name = place == "2_Pooling" ? place : "1_Pooling"
        let folder = URL(filePath: path)
        if name != "1_Pooling" {
            try FileManager.default.moveItem(at: folder.appending(path: "1_Pooling"), to: folder.appending(path: name))
        }
        let module: JSONValue = ["path": .string(place), "type": "sentence_transformers.models.Pooling"]
        try Data(JSONValue.array([module]).text().utf8).write(to: folder.appending(path: "modules.json"))
        guard place.contains(name), !place.contains("..") && !place.hasSuffix("x") else {
            let message = "has a module of kind Pooling whose 'path' does not name a folder within the model's"
            let error = #expect(throws: ConversionError.self) { try metadata(ofFolder: path) }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
            return
        }
        #expect(try metadata(ofFolder: path).value("nomic-bert.pooling_type") == .uint32(1))
        let before = try FolderDigest.of(ModelFolder(path: path))
        try FolderFixture.edit(path, name + "/config.json") { $0 = ["pooling_mode": "cls"] }
        #expect(try metadata(ofFolder: path).value("nomic-bert.pooling_type") == .uint32(2))
        #expect(try FolderDigest.of(ModelFolder(path: path)) != before)
    }

    @Test("A model card may have any encoding and size, and need not be a file")
    func modelCard() throws {
        let path = try FolderFixture(name: "qwen3-reranker").assemble(in: temporary)
        let card = URL(filePath: path).appending(path: "README.md")
        func reranks() throws -> Bool {
            _ = try FolderDigest.of(ModelFolder(path: path))
            return try metadata(ofFolder: path).value("qwen3.pooling_type") == .uint32(4)
        }
        let latin1: [UInt8] = [0xE9, 0x0A]
        try Data(latin1 + Array("# Qwen3-Reranker-0.6B".utf8)).write(to: card)
        #expect(try reranks())
        try Data(Array("# Qwen3-Reranker".utf8) + [UInt8](repeating: 0x20, count: 5 << 20)).write(to: card)
        #expect(try reranks())
        try Data(latin1).write(to: card)
        #expect(try !reranks())
        try Data().write(to: card)
        #expect(try !reranks())
        try FileManager.default.removeItem(at: card)
        try FileManager.default.createDirectory(at: card, withIntermediateDirectories: false)
        #expect(try !reranks())
    }

    @Test("Numbers that only Python's JSON has are read, and refused where finite ones are needed")
    func nonFiniteNumbers() throws {
        let path = try FolderFixture(name: "granitehybrid").assemble(in: temporary)
        let url = URL(filePath: path).appending(path: "config.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        /// The error with further members, which replace those of the same name.
        func problem(_ members: String) throws -> String? {
            let end = try #require(text.lastIndex(of: "}"))
            try Data((text[..<end] + ", \(members)}").utf8).write(to: url)
            do throws(ConversionError) {
                _ = try ModelFolder(path: path).json("config.json")
            } catch { return error.description }
            do { _ = try metadata(ofFolder: path) } catch { return "\(error)" }
            return nil
        }
        let advice = URL(filePath: path).appending(path: "generation_config.json")
        try Data(#"{"temperature": NaN, "top_p": 0.5}"#.utf8).write(to: advice)
        #expect(try problem(#""time_step_limit": [0.0, Infinity], "initializer_range": NaN"#) == nil)
        #expect(try metadata(ofFolder: path).floatIfPresent("general.sampling.temp") == nil)
        #expect(try metadata(ofFolder: path).floatIfPresent("general.sampling.top_p") == 0.5)
        for limit in ["[0.0, NaN]", "[0.0, -Infinity]", "[NaN, Infinity]"] {
            let found = try problem("\"time_step_limit\": \(limit)")
            #expect(found?.contains("limits on time steps are not supported") == true, "\(found ?? "")")
        }
        for (members, message) in [
            (#""rms_norm_eps": Infinity"#, "'rms_norm_eps' is Infinity: expected a number"),
            (#""rms_norm_eps": NaN"#, "'rms_norm_eps' is NaN: expected a number"),
            (#""rms_norm_eps": 1e39"#, "'rms_norm_eps' is 1e+39: expected a number"),
            (#""vocab_size": NaN"#, "'vocab_size' is NaN: expected an integer"),
            (#""vocab_size": -Infinity"#, "'vocab_size' is -Infinity: expected an integer"),
            (#""rope_parameters": {"rope_type": "default", "rope_theta": NaN}"#, "must have finite numbers only"),
            (#""rope_parameters": {}, "rope_theta": -Infinity"#, "must have finite numbers only"),
        ] {
            let found = try problem(members)
            #expect(found?.contains(message) == true, "\(found ?? "")")
        }
    }

    @Test(
        "A weight that is infinite or NaN is an error, also where bytes are copied",
        arguments: [
            ("llama", .BF16, [0x80, 0x7F]), ("llama", .BF16, [0xC0, 0xFF]), ("llama-f16", .F16, [0x00, 0xFC]),
            ("llama-f16", .F16, [0x01, 0x7C]), ("qwen3", .F32, [0, 0, 0x80, 0x7F]),
            ("qwen3", .F32, [0, 0, 0xC0, 0xFF]),
        ] as [(String, GGMLType, [UInt8])])
    func badWeight(model: String, type: GGMLType, number: [UInt8]) throws {
        let path = try FolderFixture(name: model).assemble(in: temporary)
        let weights = path + "/model.safetensors"
        let tensors = try SafetensorsFile(path: weights).tensors
        let tensor = try #require(tensors.first { $0.type.tensorType == type && $0.name.contains("down_proj") })
        let element = tensor.elementCount - 2
        let place = tensor.range.lowerBound + element * number.count
        var bytes = try Array(Data(contentsOf: URL(filePath: weights)))
        bytes.replaceSubrange(place..<place + number.count, with: number)
        try Data(bytes).write(to: URL(filePath: weights), options: .atomic)
        for output in [type, .Q8_0] {
            let conversion = try ModelConversion(ModelFolder(path: path), outputType: output)
            let error = #expect(throws: ConversionError.self) { try conversion.write(to: temporary.path("bad.gguf")) }
            let text = error?.description ?? ""
            #expect(
                text.contains(": expected finite weights, found ") && text.contains(" at element \(element): "),
                "\(text)")
        }
    }

    @Test("Q8_0 takes weights that half precision does not, up to those whose scale it does not have")
    func largeWeights() throws {
        let path = try FolderFixture(name: "granitehybridmoe").assemble(in: temporary)
        let weights = path + "/model.safetensors"
        let original = try Data(contentsOf: URL(filePath: weights))
        let tensor = try #require(
            SafetensorsFile(path: weights).tensors.first { $0.name.hasSuffix("layers.0.mamba.out_proj.weight") })
        /// Converts the model with a first weight, and returns that weight as a block of Q8_0 holds it.
        func convert(_ weight: Float, _ type: GGMLType) throws -> Float {
            var bytes = original
            let place = tensor.range.lowerBound
            let number = withUnsafeBytes(of: weight.bitPattern.littleEndian) { Data($0) }
            bytes.replaceSubrange(place..<place + 4, with: number)
            try bytes.write(to: URL(filePath: weights), options: .atomic)
            let output = temporary.path("large.gguf")
            try ModelConversion(ModelFolder(path: path), outputType: type).write(to: output)
            let file = try GGUFFile(path: output)
            let converted = try #require(file.tensor(named: "blk.0.ssm_out.weight"))
            #expect(converted.type == type)
            return withExtendedLifetime(file) {
                let scale = Float16(bitPattern: converted.bytes.loadUnaligned(as: UInt16.self))
                return Float(scale) * Float(converted.bytes.loadUnaligned(fromByteOffset: 2, as: Int8.self))
            }
        }
        for weight in [70_000, Float(65_520 * 127).nextDown] {
            #expect(try abs(convert(weight, .Q8_0) - weight) <= weight / 1000)
            #expect(throws: ConversionError.self) { try convert(weight, .F16) }
        }
        #expect(throws: ConversionError.self) { try convert(65_520 * 127, .Q8_0) }
    }

    @Test("Every finite number of a type is copied, wherever infinity would be found")
    func extremes() {
        let sizes: [(ElementType, [UInt8], [UInt8])] = [
            (.BF16, [0x7F, 0xFF], [0x80, 0x7F]), (.F16, [0xFF, 0xFB], [0x00, 0x7C]),
            (.F32, [0xFF, 0xFF, 0x7F, 0xFF], [0x00, 0x00, 0x80, 0xFF]),
        ]
        for (type, largest, infinite) in sizes {
            for count in 1...67 {
                let numbers = Array(repeatElement(largest, count: count))
                #expect(numbers.flatMap { $0 }.withUnsafeBytes { NonFiniteNumbers.first(in: $0, of: type) } == nil)
                var worse = numbers
                worse[count - 1] = infinite
                let found = worse.flatMap { $0 }.withUnsafeBytes { NonFiniteNumbers.first(in: $0, of: type) }
                #expect(found?.element == count - 1 && found?.value.isInfinite == true)
            }
        }
    }

    @Test("The setting for clean-up does not change the pre-tokenizer", arguments: [nil, false, true] as [Bool?])
    func cleaning(flag: Bool?) throws {
        let path = try FolderFixture(name: "qwen2").assemble(in: temporary)
        try FolderFixture.edit(path, "tokenizer_config.json") {
            $0["clean_up_tokenization_spaces"] = flag.map(JSONValue.bool)
        }
        let found = try metadata(ofFolder: path).string("tokenizer.ggml.pre")
        #expect(found == "qwen2")
    }

    @Test("The normalizer's case and accent settings are converted, nested or not")
    func letters() throws {
        let path = try FolderFixture(name: "bert").assemble(in: temporary)
        try FolderFixture.edit(path, "tokenizer.json") {
            $0["normalizer"] = [
                "type": "Sequence",
                "normalizers": [
                    ["type": "BertNormalizer", "lowercase": false, "strip_accents": .null], ["type": "NFC"],
                ],
            ]
        }
        var found = try metadata(ofFolder: path)
        #expect(try found.boolIfPresent("tokenizer.ggml.normalizer.lowercase") == false)
        #expect(try found.boolIfPresent("tokenizer.ggml.normalizer.strip_accents") == nil)
        try FolderFixture.edit(path, "tokenizer.json") {
            $0["normalizer"] = ["type": "BertNormalizer", "lowercase": true, "strip_accents": false]
        }
        found = try metadata(ofFolder: path)
        #expect(try found.boolIfPresent("tokenizer.ggml.normalizer.lowercase") == true)
        #expect(try found.boolIfPresent("tokenizer.ggml.normalizer.strip_accents") == false)
    }

    @Test("PyLate's query and document settings are converted, with its defaults for missing ones")
    func lateInteraction() throws {
        let path = try FolderFixture(name: "lfm2-colbert").assemble(in: temporary)
        func keys(_ settings: JSONValue) throws -> [String: String] {
            let file = URL(filePath: path).appending(path: "config_sentence_transformers.json")
            try Data(settings.text().utf8).write(to: file)
            let output = temporary.path("model.gguf")
            try ModelConversion(ModelFolder(path: path)).write(to: output)
            let metadata = try GGUFFile(path: output).metadata
            let prefix = "leap.late_interaction."
            let names = metadata.keys.filter { $0.hasPrefix(prefix) }
            return Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (String(name.dropFirst(prefix.count)), metadata.value(name).map { Self.json($0).text() } ?? "")
                })
        }
        #expect(try keys(["similarity_fn_name": "cosine", "query_prefix": .null]) == [:])
        let stated: JSONValue = [
            "query_prefix": "<|im_start|>", "document_prefix": "<think>", "query_length": 24, "document_length": 48,
            "do_query_expansion": true, "attend_to_expansion_tokens": true,
            "skiplist_words": ["?", "!", "no such token"],
        ]
        #expect(
            try keys(stated) == [
                "query_length": "24", "document_length": "48", "query_prefix_token_id": "124",
                "document_prefix_token_id": "126", "expansion_token_id": "123", "attends_to_expansion": "true",
                "skipped_token_ids": "[0,30]",
            ])
        let usual = try keys(["query_prefix": "", "document_prefix": "<|im_end|>"])
        #expect(usual["query_length"] == "32" && usual["document_length"] == "180")
        #expect(usual["query_prefix_token_id"] == nil && usual["document_prefix_token_id"] == "125")
        #expect(usual["expansion_token_id"] == "123" && usual["attends_to_expansion"] == "false")
        #expect(usual["skipped_token_ids"]?.hasPrefix("[0,1,2,") == true)
        let plain = try keys([
            "query_prefix": "", "document_prefix": "", "do_query_expansion": false, "skiplist_words": [],
        ])
        #expect(plain == ["query_length": "32", "document_length": "180"])

        let faults: [(String, JSONValue, String)] = [
            (
                "query_prefix", "[Q] ",
                "has no token '[Q] ', which is the 'query_prefix' in config_sentence_transformers.json"
            ),
            ("query_prefix", 5, "'query_prefix' is 5: expected a string"),
            ("document_length", 1, "'document_length' is 1: expected a number of tokens, at least 2"),
            ("do_query_expansion", "yes", "'do_query_expansion' is \"yes\": expected true or false"),
            ("skiplist_words", ["a", 1], "expected a list of strings"),
        ]
        for (key, value, message) in faults {
            var members = stated.dictionary ?? [:]
            members[key] = value
            let object = JSONValue.object(.init(uniqueKeysWithValues: members.sorted { $0.key < $1.key }))
            let error = #expect(throws: ConversionError.self) { try keys(object) }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test("Gemma's windows follow the configuration, and the default pattern is not written")
    func windows() throws {
        let path = try FolderFixture(name: "gemma3").assemble(in: temporary)
        func keys(_ types: JSONValue, _ period: JSONValue) throws -> [JSONValue?] {
            try FolderFixture.edit(path, "config.json") {
                ($0["layer_types"], $0["sliding_window_pattern"]) = (types, period)
            }
            let output = temporary.path("model.gguf")
            try ModelConversion(ModelFolder(path: path)).write(to: output)
            let metadata = try GGUFFile(path: output).metadata
            return ["sliding_window", "sliding_window_pattern"].map {
                metadata.value("gemma3.attention.\($0)").map { Self.json($0) }
            }
        }
        #expect(try keys(["sliding_attention", "full_attention"], 6) == [16, [true, false]])
        #expect(try keys(["full_attention", "sliding_attention"], .null) == [16, [false, true]])
        #expect(try keys(["sliding_attention", "sliding_attention"], .null) == [16, nil])
        #expect(try keys(["full_attention", "full_attention"], 6) == [nil, nil])
        #expect(try keys(.null, .null) == [16, nil])
        #expect(try keys(.null, 2) == [16, [true, false]])
        #expect(try keys(.null, 1) == [nil, nil])
        for types: JSONValue in [["full_attention"], ["full_attention", "linear_attention"], ["full_attention", 1]] {
            let error = #expect(throws: ConversionError.self) { try keys(types, 6) }
            #expect(
                error?.description.contains("'layer_types' must have 2 entries") == true, "\(error?.description ?? "")")
        }
    }

    /// Whether a model makes vectors or scores: it has bidirectional attention or a pooling type.
    private static func embeds(_ metadata: GGUFMetadata) -> Bool {
        metadata.keys.contains { $0.hasSuffix(".attention.causal") || $0.hasSuffix(".pooling_type") }
    }

    /// Keys whose values are the defaults, or that readers ignore.
    private static let additions = [
        "attention.head_count_kv", "tokenizer.ggml.add_space_prefix", "tokenizer.ggml.token_type_count", "vocab_size",
        "rope.dimension_count", "tokenizer.ggml.unknown_token_id",
        // Their converter omits patterns other than the default, and Gemma's models then compute something else.
        "attention.sliding_window_pattern",
    ]

    private static func isNotCompared(_ key: String) -> Bool {
        // The mask token's id, which follows from its text, and state-space keys of models without state spaces.
        key == "tokenizer.ggml.mask_token_id" || key.hasPrefix("granite.ssm.")
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Parameter isElement: Whether it is an element of an array, where integers are written without a decimal point.
    private static func json(_ value: GGUFValue, isElement: Bool = false) -> JSONValue {
        switch value {
        case .bool(let flag): return .bool(flag)
        case .string(let text): return .string(text)
        case .array(let array):
            let elements = array.indices.map { json(array[$0], isElement: true) }
            guard elements.count > 64 else { return .array(elements) }
            let text = elements.map { $0.string ?? $0.text() }.joined(separator: "\0")
            return .string("sha256 " + digest(Array(text.utf8)))
        default:
            if let number = value.anyInteger { return .integer(Int(clamping: number)) }
            let number = value.anyFloat ?? .nan
            return isElement ? Int(exactly: number).map { .integer($0) } ?? .number(number) : .number(number)
        }
    }
}
