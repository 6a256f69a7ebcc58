import Foundation
import LeapJSON
import LeapTemplate
import Testing

/// A small template and Jinja2's result for it; `scripts/update-template-cases` writes them.
struct TemplateCase: Sendable, CustomTestStringConvertible {
    let template: String
    let variables: [String: JSONValue]
    /// Nil if Jinja2 raises an exception.
    let expected: String?

    var testDescription: String { template }

    static let all: [TemplateCase] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Data/TemplateCases")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.path < $1.path }.flatMap { file in
            let cases = (try? JSONValue(parsing: Data(contentsOf: file)))?.array ?? []
            return cases.compactMap(TemplateCase.init)
        }
    }()

    private init?(_ json: JSONValue) {
        guard let template = json["template"]?.string else { return nil }
        self.template = template
        expected = json["expected"]?.string
        variables = json["variables"]?.dictionary ?? [:]
    }
}

@Suite struct TemplateCaseTests {
    /// The current time in the cases: 2024-07-26 12:34:56.
    private let now = Date(timeIntervalSince1970: 1_721_997_296)

    @Test("The cases are found") func casesAreThere() {
        #expect(TemplateCase.all.count > 2000)
    }

    @Test("A template renders as in Jinja2", arguments: TemplateCase.all)
    func agreesWithJinja(_ test: TemplateCase) throws {
        let result = Result {
            try Template(test.template)
                .render(Conversation.variables(test.variables), now: now, timeZone: .gmt)
        }
        if let expected = test.expected {
            // Compared by scalars, because Swift's equality ignores differences in Unicode composition.
            let text = try result.get()
            #expect(text.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(text.debugDescription)")
        } else {
            #expect(throws: TemplateError.self) { try result.get() }
        }
    }
}
