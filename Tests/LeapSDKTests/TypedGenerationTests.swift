import Foundation
import LeapSDK
import Testing

@Generatable("Anything")
private struct Anything: Codable {
    @Guide("A name", .maximumLength(8)) let name: String
    @Guide("A digit", .range(0...9)) let digit: Int
    @Guide("Words", .count(0...2), .element(.maximumLength(4))) let words: [String]
    let kind: Kind
    let isReal: Bool
    let date: Date
    let identifier: UUID
    @Guide("Bytes", .range(200...)) let byte: UInt8?

    @Generatable
    enum Kind: String, Codable {
        case animal, plant
        case other = "\"other\""
    }
}

/// Untrained models generate nonsense, so valid answers are due to the schema alone.
@Suite struct TypedGenerationTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `every answer of an untrained model is a value of the type`(seed: UInt64) async throws {
        let conversation = try await loadEndless().createConversation()
        let options = GenerationOptions(temperature: 1.5, rngSeed: seed, maxOutputTokens: 2000)
        options.injectSchemaIntoPrompt = false
        var name: String?
        var value: Anything?
        let responses = conversation.generateResponse(
            userTextMessage: "Something", as: Anything.self, generationOptions: options)
        for try await response in responses {
            switch response {
            case .partial(let partial):
                if let name { #expect(partial.name?.unicodeScalars.starts(with: name.unicodeScalars) == true) }
                name = partial.name
            case .complete(let anything, _): value = anything
            case .reasoningChunk: continue
            }
        }
        let anything = try #require(value)
        #expect((0...9).contains(anything.digit) && anything.words.count <= 2)
        #expect(anything.name.unicodeScalars.count <= 8 && anything.name == name)
        #expect(anything.byte.map { $0 >= 200 } ?? true)
        #expect(conversation.history.last?.role == .assistant)
    }
}
