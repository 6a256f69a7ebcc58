import LeapChat
import LeapJSON
import OrderedCollections
import Testing

@testable import LeapEngine

@Suite("Tools")
struct ToolTests {
    private static let weather = Tool(
        name: "get_weather",
        json: [
            "type": "function",
            "function": [
                "name": "get_weather",
                "parameters": ["type": "object", "properties": ["cities": ["type": "array"], "unit": [:]]],
            ],
        ])

    @Test("an argument with a position only gets its parameter's name")
    func positions() {
        let call = ToolCall(name: "get_weather", arguments: ["0": ["Rome"], "1": "celsius", "2": 3])
        #expect(Self.weather.named(call).arguments == ["cities": ["Rome"], "unit": "celsius", "2": 3])
        let both = ToolCall(name: "get_weather", arguments: ["0": 1, "cities": 2])
        #expect(Self.weather.named(both) == both)
    }
}
