import Foundation
import LeapSDK
import Testing

@Generatable("A recipe")
private struct Recipe: Codable, Equatable {
    @Guide("What it is called") let title: String
    @Guide("How long it takes, in minutes", .range(1...600)) let minutes: Int
    @Guide("What to do", .count(1...9)) let steps: [Step]

    @Generatable("One thing to do")
    struct Step: Codable, Equatable {
        let text: String
        let isOptional: Bool
    }
}

@Suite struct GeneratedResponsesTests {
    private static let text = #"{"title":"Röschti","minutes":30,"steps":[{"text":"Grate","isOptional":false}]}"#
    private static let recipe = Recipe(title: "Röschti", minutes: 30, steps: [.init(text: "Grate", isOptional: false)])

    private static func runner(_ responses: [MessageResponse]) -> ScriptedRunner {
        ScriptedRunner { _, options in
            #expect(options?.jsonSchemaConstraint == Recipe.jsonSchema())
            return responses
        }
    }

    private func responses(
        _ pieces: [String], ending: GenerationEnding = .endOfTurn
    ) -> GeneratedResponses<Recipe> {
        let completion = MessageCompletion(
            message: ChatMessage(role: .assistant, textContent: pieces.joined()), finishReason: .stop, stats: nil,
            ending: ending)
        let runner = Self.runner([.reasoningChunk("Hungry.")] + pieces.map { .chunk($0) } + [.complete(completion)])
        return runner.createConversation().generateResponse(userTextMessage: "A recipe, please", as: Recipe.self)
    }

    @Test func `an answer that calls a function is an error that names the function`() async throws {
        let call = try LeapFunctionCall(name: "look_up", arguments: [:])
        let completion = MessageCompletion(
            message: ChatMessage(role: .assistant, content: [], functionCalls: [call]), finishReason: .stop, stats: nil)
        let runner = Self.runner([.functionCall([call]), .complete(completion)])
        let responses = runner.createConversation().generateResponse(
            userTextMessage: "A recipe, please", as: Recipe.self)
        await #expect {
            for try await _ in responses {}
        } throws: {
            "\($0)".contains("it calls 'look_up'")
        }
    }

    @Test func `every split of the answer gives the same value, and partial values before it`() async throws {
        for split in Self.text.indices {
            var value: Recipe?
            var titles: [String] = []
            var thoughts = ""
            for try await response in responses([String(Self.text[..<split]), String(Self.text[split...])]) {
                switch response {
                case .reasoningChunk(let text): thoughts += text
                case .partial(let recipe): titles.append(recipe.title ?? "")
                case .complete(let recipe, let completion):
                    value = recipe
                    #expect(completion.message.text == Self.text)
                }
            }
            #expect(value == Self.recipe && thoughts == "Hungry.")
            #expect(titles.last == "Röschti" && zip(titles, titles.dropFirst()).allSatisfy { $1.hasPrefix($0) })
        }
    }

    @Test func `a partial response is delivered only when the value changes`() async throws {
        var partial: [Recipe.PartiallyGenerated] = []
        for try await response in responses([#"{"title":"R"#, "ö", #"","min"#, "utes", "\":3", "0", ",", " ", "\n"]) {
            if case .partial(let recipe) = response { partial.append(recipe) }
            if partial.count == 4 { break }
        }
        #expect(partial.map(\.title) == ["R", "Rö", "Rö", "Rö"])
        #expect(partial.map(\.minutes) == [nil, nil, nil, 30])
    }

    @Test(arguments: [
        (
            GenerationEnding.maximumTokensInConstraint,
            "it reached the maximum number of tokens: raise maxOutputTokens"
        ),
        (.contextFull, "it filled the context window: load the model with a larger contextSize"),
    ])
    func `an answer that ended too early is an error with the reason`(ending: GenerationEnding, reason: String) async {
        let error = await #expect(throws: LeapError.self) {
            for try await _ in responses([#"{"title":"R"#], ending: ending) {}
        }
        #expect(
            error.map { "\($0)" } == "the JSON cannot be used: the answer is not a value of 'Recipe', because \(reason)"
        )
    }

    @Test func `a stopped generation ends without a value`() async throws {
        for try await response in responses([#"{"title":"R"#], ending: .interrupted) {
            if case .complete = response { Issue.record("a stopped generation delivered a value") }
        }
    }
}
