import Foundation
import LeapJSON
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// `leap encode`, `leap logits --messages` and `leap inspect`, with the small vision model.
@Suite struct EncodeCommandTests {
    private static let vision = Fixture.folder.appending(path: "vision")
    private static let model = vision.appending(path: "lfm2-vl-chat-q8_0.gguf").path
    private static let projector = vision.appending(path: "mmproj-lfm2-vl-chat-q8_0.gguf").path

    private static func picture(_ name: String) -> String { vision.appending(path: "pictures/\(name)").path }

    private static func integer(_ value: JSONValue?) throws -> Int {
        guard case .integer(let integer) = value else { throw CocoaError(.formatting) }
        return integer
    }

    private func encode(_ arguments: [String]) async throws -> CommandOutcome {
        try await Tool.leap.run(["encode", Self.model, "--mmproj", Self.projector] + arguments)
    }

    @Test("an image without tiles is its rows between two tokens")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await encode([
            "--image", Self.picture("red-left-blue-right.png"), "--json", "--out", folder.path("rows"),
        ])
        #expect(outcome.status == ExitStatus.success)
        let report = try JSONValue(parsing: outcome.text)
        #expect(report["grid"] == .null && report["thumbnail"] == .bool(false))
        #expect(report["tiles"] == [["width": 320, "height": 224, "tokens": 70]])
        #expect(report["rows"] == 70 && report["positions"] == 72)
        let layout = try #require(report["layout"]?.array)
        #expect(layout.map { $0["token"]?.string } == ["<|image_start|>", nil, "<|image_end|>"])
        #expect(layout[1]["rows"] == 70)
        let width = try Self.integer(report["rowLength"])
        #expect(try Data(contentsOf: folder.url.appending(path: "rows")).count == 70 * width * 4)
    }

    @Test("tiles have their own tokens, row by row, and a thumbnail follows")
    func tiles() async throws {
        let outcome = try await encode(["--image", Self.picture("tiles-blue.png"), "--json"])
        let report = try JSONValue(parsing: outcome.text)
        #expect(report["grid"] == ["columns": 2, "rows": 2] && report["thumbnail"] == .bool(true))
        #expect(report["rows"] == 1264)
        let names = try #require(report["layout"]?.array).compactMap { $0["token"]?.string }
        #expect(
            names == [
                "<|image_start|>", "<|img_row_1_col_1|>", "<|img_row_1_col_2|>", "<|img_row_2_col_1|>",
                "<|img_row_2_col_2|>", "<|img_thumbnail|>", "<|image_end|>",
            ])
    }

    @Test("a missing projector or output and an invalid image are reported")
    func faults() async throws {
        let text = Fixture(name: "lfm2-chat-q8_0").path
        let picture = Self.picture("green.png")
        expectFailure(
            try await Tool.leap.run(["encode", text, "--image", picture, "--json"]), "the model has no vision projector"
        )
        expectFailure(try await encode(["--image", text, "--json"]), "unsupported image format")
        let usage = try await encode(["--image", picture])
        #expect(usage.status == ExitStatus.usage && usage.errorText.contains("--out"))
    }

    @Test("logits of messages with an image match the reference with any chunk size")
    func logits() async throws {
        let folder = try TemporaryFolder()
        let picture = try Data(contentsOf: URL(filePath: Self.picture("red-left-blue-right.png")))
        let url = "data:image/png;base64,\(picture.base64EncodedString())"
        let messages: JSONValue = [
            [
                "role": "user",
                "content": [
                    ["type": "image_url", "image_url": ["url": .string(url)]],
                    ["type": "text", "text": "Which colour is on the left?"],
                ],
            ]
        ]
        var found: [Data] = []
        for (name, json) in [("list", messages), ("object", ["messages": messages])] {
            let outcome = try await Tool.leap.run([
                "logits", Self.model, "--mmproj", Self.projector, "--messages",
                folder.write("\(name).json", json.text()),
                "--chunk", name == "list" ? "17" : "512", "--out", folder.path(name),
            ])
            #expect(outcome.status == ExitStatus.success && outcome.errorText == "")
            found.append(try Data(contentsOf: folder.url.appending(path: name)))
        }
        #expect(found[0] == found[1])
        let expected = try Self.firstLogits()
        let values = found[0].withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(values.count == expected.count)
        #expect(values.indices.max { values[$0] < values[$1] } == expected.indices.max { expected[$0] < expected[$1] })
        #expect(rootMeanSquareError(values, expected) < 0.05)
    }

    /// The reference logits after the fixture's first question.
    private static func firstLogits() throws -> [Float] {
        let cases = try JSONValue(parsing: Data(contentsOf: vision.appending(path: "vision-answers.json")))
        let entry = try #require(cases["cases"]?.array?.first?["logits"])
        let offset = try Self.integer(entry["offset"])
        let count = try Self.integer(entry["shape"]?.array?.first)
        let data = try Data(contentsOf: vision.appending(path: "vision-answers.f32.bin"))
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)[offset..<offset + count]) }
    }

    @Test("inspect describes a vision projector")
    func inspection() async throws {
        let outcome = try await Tool.leap.run(["inspect", Self.projector, "--json"])
        let report = try JSONValue(parsing: outcome.text)
        #expect(report["supported"] == .bool(true) && report["unsupported"] == [])
        #expect(report["projector"]?["patchSize"] == 16)
        let text = try await Tool.leap.run(["inspect", Self.projector]).text
        #expect(text.contains("32 × 32 per row") && text.hasSuffix("supported       yes\n"))
        let plain = try JSONValue(parsing: try await Tool.leap.run(["inspect", Self.model, "--json"]).text)
        #expect(plain["projector"] == nil && plain["memory"] != nil)
    }
}
