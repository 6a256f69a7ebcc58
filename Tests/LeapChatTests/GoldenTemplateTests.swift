import Foundation
import LeapChat
import OrderedCollections
import Testing

/// A folder of reference data, named by `LEAP_GOLDENS`: conversations, and per model its template with the texts that
/// Python's implementation renders.
private enum Goldens {
    static let folder = ProcessInfo.processInfo.environment["LEAP_GOLDENS"].map {
        URL(fileURLWithPath: $0).appending(path: "templates")
    }

    static var families: [String] {
        guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return []
        }
        return files.filter { $0.hasSuffix(".json") && $0 != "conversations.json" }.sorted()
    }

    static func load(_ name: String) throws -> JSONValue {
        let folder = try #require(folder)
        return try JSONValue(parsing: Data(contentsOf: folder.appending(path: name)))
    }
}

@Suite(.enabled(if: Goldens.folder != nil, "LEAP_GOLDENS names no folder"))
struct GoldenTemplateTests {
    /// What the reference data take for the current time: 2024-07-26 12:34:56.
    private let now = Date(timeIntervalSince1970: 1_721_997_296)

    @Test("Every conversation renders as in Python", arguments: Goldens.families)
    func rendersAsInPython(_ file: String) throws {
        let family = try Goldens.load(file)
        let template = try ChatTemplate(source: #require(family["template_source"]?.string))
        let conversations = try #require(Goldens.load("conversations.json").array)
        for (conversation, result) in zip(conversations, try #require(family["results"]?.array)) {
            #expect(conversation["name"] == result["name"])
            let rendered = Result { try render(conversation, with: template, family) }
            if let expected = result["rendered"]?.string {
                let text = try rendered.get()
                #expect(text.utf8.elementsEqual(expected.utf8), "\(conversation["name"]?.string ?? "")")
            } else {
                #expect(throws: TemplateError.self, "\(result)") { try rendered.get() }
            }
        }
    }

    private func render(_ conversation: JSONValue, with template: ChatTemplate, _ family: JSONValue) throws -> String {
        try template.render(
            messages: #require(conversation["messages"]?.array), tools: conversation["tools"]?.array,
            addGenerationPrompt: conversation["add_generation_prompt"] == true,
            bosToken: family["bos_token"]?.string ?? "", eosToken: family["eos_token"]?.string ?? "",
            variables: conversation["kwargs"]?.dictionary ?? [:], now: now, timeZone: .gmt)
    }
}
