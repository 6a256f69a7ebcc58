import Foundation
import LeapChat
import LeapJSON
import OrderedCollections
import Testing

/// An answer in a dialect, and its parts. Each file in `Data/Dialects` has the cases of the dialect that it is named after.
struct DialectCase: Sendable, CustomTestStringConvertible {
    let dialect: String
    let text: String
    /// The part of the answer that the prompt has already begun.
    let opening: String
    let answer: ReadAnswer

    var testDescription: String { "\(dialect): \(text)" }

    static let all: [DialectCase] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Data/Dialects")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.path < $1.path }.flatMap { file in
            let cases = (try? JSONValue(parsing: Data(contentsOf: file)))?.array ?? []
            return cases.compactMap { DialectCase(dialect: file.deletingPathExtension().lastPathComponent, $0) }
        }
    }()

    private init?(dialect: String, _ json: JSONValue) {
        guard let text = json["text"]?.string, let calls = json["calls"]?.array else { return nil }
        self.dialect = dialect
        self.text = text
        opening = json["opening"]?.string ?? ""
        answer = ReadAnswer(
            content: json["content"]?.string ?? "", reasoning: json["reasoning"]?.string ?? "",
            calls: calls.map {
                ToolCall(
                    name: $0["name"]?.string ?? "", arguments: $0["arguments"]?.object ?? [:], id: $0["id"]?.string)
            })
    }

    /// The functions that answers may call.
    static let functions: [DeclaredFunction] = [
        #"{"name": "weather", "parameters": {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}}"#,
        #"{"name": "now"}"#,
        #"{"name": "plan", "parameters": {"properties": {"steps": {"type": "array"}, "where": {"type": "object"}}}}"#,
    ].compactMap { (try? JSONValue(parsing: $0)).flatMap(DeclaredFunction.init(json:)) }
}

/// The parts of an answer.
struct ReadAnswer: Sendable, Hashable {
    var content = ""
    var reasoning = ""
    var calls: [ToolCall] = []

    init(content: String, reasoning: String = "", calls: [ToolCall] = []) {
        self.content = content
        self.reasoning = reasoning
        self.calls = calls
    }

    init(_ events: [AnswerReader.Event]) {
        for event in events {
            switch event {
            case .text(let text): content += text
            case .reasoning(let text): reasoning += text
            case .calls(let more): calls += more
            case .reasoningBegins, .reasoningEnds, .callBegins, .callArguments, .unreadable: break
            }
        }
    }
}
