import LeapChat
import LeapEngine
import LeapJSON
import Testing

@testable import LeapServer

/// Tool calls and results matched by id, in the APIs that have ids.
@Suite("Tool call ids")
struct ToolCallIDTests {
    /// An API, by how it writes two calls and some results.
    enum Wire: CaseIterable {
        case chats, messages, responses

        /// - Parameters:
        ///   - calls: Ids of two calls; empty for no calls.
        ///   - results: Ids of the results.
        func conversation(calls: [String?], results: [String?]) throws -> [Message] {
            switch self {
            case .chats: try chat(calls, results)
            case .messages: try blocks(calls, results)
            case .responses: try items(calls, results)
            }
        }

        /// The field with the call id of a result.
        func field(_ place: Int) -> String {
            switch self {
            case .chats: "messages[\(place + 2)].tool_call_id"
            case .messages: "messages[2].content"
            case .responses: "input[\(place + 3)].call_id"
            }
        }

        private func chat(_ calls: [String?], _ results: [String?]) throws -> [Message] {
            let calls = calls.map { name -> JSONValue in
                ["id": Self.json(name), "type": "function", "function": ["name": "f", "arguments": "{}"]]
            }
            let said: [JSONValue] = [
                ["role": "user", "content": "Hi"],
                ["role": "assistant", "content": "x", "tool_calls": .array(calls)],
            ]
            return try MessageReader.messages(
                said + results.map { ["role": "tool", "tool_call_id": Self.json($0), "content": "r"] },
                path: "messages")
        }

        private func blocks(_ calls: [String?], _ results: [String?]) throws -> [Message] {
            let calls = calls.map { name -> JSONValue in
                ["type": "tool_use", "id": Self.json(name), "name": "f", "input": [:]]
            }
            let results = results.map { name -> JSONValue in
                ["type": "tool_result", "tool_use_id": Self.json(name), "content": "r"]
            }
            return try BlockReader.conversation(
                system: nil,
                messages: [
                    ["role": "user", "content": "Hi"],
                    ["role": "assistant", "content": .array([["type": "text", "text": "x"]] + calls)],
                    ["role": "user", "content": .array(results)],
                ])
        }

        private func items(_ calls: [String?], _ results: [String?]) throws -> [Message] {
            let calls = calls.map { name -> JSONValue in
                ["type": "function_call", "call_id": Self.json(name), "name": "f", "arguments": "{}"]
            }
            let results = results.map { name -> JSONValue in
                ["type": "function_call_output", "call_id": Self.json(name), "output": "r"]
            }
            return try InputReader.conversation(
                instructions: nil, input: .array([["role": "user", "content": "Hi"]] + calls + results))
        }

        private static func json(_ name: String?) -> JSONValue { name.map { .string($0) } ?? .null }
    }

    @Test("calls and results keep the ids that clients gave them", arguments: Wire.allCases)
    func keepsIDs(_ wire: Wire) throws {
        let messages = try wire.conversation(calls: ["a", "b"], results: ["b", "a"])
        #expect(messages.first { $0.role == .assistant }?.calls.map(\.id) == ["a", "b"])
        #expect(messages.filter { $0.role == .tool }.map(\.callID) == ["b", "a"])
    }

    @Test("calls and results may lack ids", arguments: Wire.allCases)
    func withoutIDs(_ wire: Wire) throws {
        for (calls, results) in [([nil, nil], [nil, ""]), (["a", "b"], [nil, nil]), (["", nil], ["a", "b"])] {
            let messages = try wire.conversation(calls: calls, results: results)
            #expect(messages.filter { $0.role == .tool }.count == 2)
        }
    }

    @Test("a result that matches no earlier call is refused, unless there are no calls", arguments: Wire.allCases)
    func unmatchedResults(_ wire: Wire) throws {
        let error = #expect(throws: APIError.self) { try wire.conversation(calls: ["a", "b"], results: ["a", "c"]) }
        #expect(error?.param == wire.field(1))
        #expect(try wire.conversation(calls: [], results: ["c"]).last?.callID == "c")
    }

    @Test("a call id must be a string")
    func kinds() {
        let error = #expect(throws: APIError.self) {
            try MessageReader.message(["role": "tool", "tool_call_id": 5, "content": "r"], path: "messages[0]")
        }
        #expect(error?.param == "messages[0].tool_call_id")
    }
}
