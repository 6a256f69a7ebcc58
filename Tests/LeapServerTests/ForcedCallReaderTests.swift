import Testing

@testable import LeapServer

@Suite("Forced calls in pieces")
struct ForcedCallReaderTests {
    /// What a reader makes of a text that comes in pieces: the function, and the pieces of its arguments.
    private static func read(_ pieces: [String]) -> (name: String?, arguments: [String]) {
        var reader = ForcedCallReader()
        var name: String?
        var arguments: [String] = []
        for event in pieces.flatMap({ reader.read($0) }) {
            switch event {
            case .begins(let begun): name = begun
            case .arguments(let text): arguments.append(text)
            }
        }
        return (name, arguments)
    }

    private static let text = "{\"name\": \"f\", \"arguments\":\n {\"a\": \"}\\\"\", \"b\": [{}]}\n}"

    @Test("arguments are the object alone, wherever the pieces end", arguments: 1...12)
    func pieces(_ length: Int) {
        let characters = Array(Self.text)
        let pieces = stride(from: 0, to: characters.count, by: length).map {
            String(characters[$0..<min($0 + length, characters.count)])
        }
        let call = Self.read(pieces)
        #expect(call.name == "f")
        #expect(call.arguments.joined() == "{\"a\": \"}\\\"\", \"b\": [{}]}")
        // Clients parse every beginning of the arguments, and whitespace alone is none.
        #expect(call.arguments.first?.first == "{")
    }
}
