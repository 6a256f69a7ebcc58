import LeapJSON
import OrderedCollections
import Testing

@testable import LeapOpenAIClient

@Suite("Tool calls")
struct ToolCallTests {
    private func call(_ id: String, _ name: String, _ arguments: String) -> ChatCompletionToolCall {
        ChatCompletionToolCall(id: id, name: name, arguments: arguments)
    }

    /// The calls assembled from JSON fragments.
    private func calls(_ pieces: [String]) throws -> [ChatCompletionToolCall] {
        var assembler = ToolCallAssembler()
        for piece in pieces { try append(piece, to: &assembler) }
        return assembler.calls
    }

    private func append(_ piece: String, to assembler: inout ToolCallAssembler) throws {
        let fragment = assembler.append(try JSONValue(parsing: piece))
        #expect(fragment != nil)
    }

    @Test func `Fragments that are interleaved by index are joined`() throws {
        let found = try calls([
            #"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#,
            #"{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{\"y\""}}"#,
            #"{"index":0,"function":{"arguments":"{\"x\":"}}"#, #"{"index":1,"function":{"arguments":":2}"}}"#,
            #"{"index":0,"function":{"arguments":"1}"}}"#,
        ])
        #expect(found == [call("a", "f", #"{"x":1}"#), call("b", "g", #"{"y":2}"#)])
    }

    @Test func `Calls are in the order of their indices`() throws {
        let found = try calls([
            #"{"index":2,"id":"c","function":{"name":"h","arguments":"{}"}}"#,
            #"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#,
        ])
        #expect(found.map(\.id) == ["a", "c"])
    }

    @Test func `Without an index, an id with a name begins a call, and other fragments continue one`() throws {
        let found = try calls([
            #"{"id":"a","function":{"name":"f","arguments":"{"}}"#, #"{"function":{"arguments":"}"}}"#,
            #"{"id":"b","function":{"name":"g","arguments":"["}}"#, #"{"id":"a","function":{"arguments":" "}}"#,
            #"{"id":"b","function":{"arguments":"]"}}"#,
        ])
        #expect(found == [call("a", "f", "{} "), call("b", "g", "[]")])
    }

    @Test func `Calls that all have index 0 are distinguished by their ids`() throws {
        let found = try calls([
            #"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#,
            #"{"index":0,"id":"b","function":{"name":"f","arguments":"[]"}}"#,
            #"{"index":0,"function":{"arguments":" "}}"#,
        ])
        #expect(found == [call("a", "f", "{}"), call("b", "f", "[] ")])
    }

    @Test(arguments: ["", #""index":0,"#])
    func `Without ids, a name after complete arguments begins a call`(index: String) throws {
        let found = try calls([
            #"{\#(index)"function":{"name":"get","arguments":"{\"a\":\"}{\"}"}}"#,
            #"{\#(index)"function":{"name":"put","arguments":""}}"#, #"{\#(index)"function":{"arguments":"{\"a\""}}"#,
            #"{\#(index)"function":{"arguments":":[{}]}"}}"#, #"{\#(index)"function":{"name":"put","arguments":"{}"}}"#,
        ])
        #expect(
            found == [call("", "get", #"{"a":"}{"}"#), call("", "put", #"{"a":[{}]}"#), call("", "put", "{}")])
    }

    @Test func `A name that is repeated after complete arguments begins no call if the index is the same`() throws {
        let found = try calls([
            #"{"index":0,"function":{"name":"f","arguments":"{}"}}"#,
            #"{"index":0,"function":{"name":"f","arguments":""}}"#,
        ])
        #expect(found == [call("", "f", "{}")])
    }

    @Test func `Different indices are different calls, even with one id`() throws {
        let found = try calls([
            #"{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}"#,
            #"{"index":1,"id":"a","function":{"name":"g","arguments":"["}}"#,
            #"{"index":0,"id":"a","function":{"arguments":"}"}}"#,
            #"{"index":1,"id":"a","function":{"arguments":"]"}}"#,
        ])
        #expect(found == [call("a", "f", "{}"), call("a", "g", "[]")])
    }

    @Test func `Every element of a whole message is a call`() throws {
        var assembler = ToolCallAssembler()
        for name in ["f", "f", "g"] {
            let element: JSONValue = ["id": "a", "index": 0, "function": ["name": .string(name)]]
            #expect(assembler.append(element, isWhole: true) != nil)
        }
        #expect(assembler.calls == [call("a", "f", ""), call("a", "f", ""), call("a", "g", "")])
    }

    @Test func `Split and repeated names and object arguments are accepted`() throws {
        #expect(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"get_"}}"#, #"{"index":0,"function":{"name":"time"}}"#,
            ]) == [call("a", "get_time", "")])
        #expect(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}"#,
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"}"}}"#,
            ]) == [call("a", "f", "{}")])
        #expect(try calls([#"{"function":{"name":"f","arguments":{"x":1}}}"#]) == [call("", "f", #"{"x":1}"#)])
    }

    @Test(arguments: [#"{}"#, #"{"index":-1}"#, #"{"index":99999999999999999999}"#, #"{"index":"0","id":7}"#])
    func `Malformed fragments are still calls`(piece: String) throws {
        #expect(try calls([piece]).count == 1)
    }

    @Test func `Fragments report which call they belong to`() throws {
        var assembler = ToolCallAssembler()
        let first = assembler.append(try JSONValue(parsing: #"{"index":5,"id":"a","function":{"name":"f"}}"#))
        let second = assembler.append(try JSONValue(parsing: #"{"index":5,"function":{"arguments":"{}"}}"#))
        #expect(first == ChatCompletionToolCallFragment(index: 0, id: "a", name: "f"))
        #expect(second == ChatCompletionToolCallFragment(index: 0, arguments: "{}"))
    }

    @Test func `Too many calls, and calls that are too long, are rejected`() throws {
        var assembler = ToolCallAssembler()
        /// Whether a fragment was accepted.
        func takes(_ piece: JSONValue) -> Bool { assembler.append(piece) != nil }
        for index in 0..<1024 { #expect(takes(["index": .integer(index)])) }
        #expect(!takes(["index": 1024]))
        #expect(takes(["index": 7]))
        let arguments = JSONValue.string(String(repeating: "x", count: 9 << 20))
        #expect(takes(["index": 0, "function": ["arguments": arguments]]))
        #expect(!takes(["index": 0, "function": ["arguments": arguments]]))
    }
}
