import LeapGeneration
import LeapSDK
import Testing

/// JSON Schemas, regular expressions and grammars as generation options.
@Suite("Constraint options")
struct ConstraintOptionTests {
    private static let user = ChatMessage(role: .user, textContent: "Yes or no?")
    private static let schema =
        #"{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":9}},"required":["a"],"additionalProperties":false}"#

    private func completion(_ change: @Sendable (GenerationOptions) -> Void) async throws -> MessageCompletion {
        let options = GenerationOptions(temperature: 1.5, rngSeed: 4, maxOutputTokens: 60)
        change(options)
        let conversation = try await load().createConversation()
        let responses = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: options))
        return try #require(responses.completion)
    }

    @Test("an answer satisfies its JSON Schema, regular expression or grammar")
    func satisfied() async throws {
        let json = try await completion { $0.jsonSchemaConstraint = Self.schema }
        #expect(json.message.text.contains(try Regex("^\\s?\\{\\s*\"a\"\\s*:\\s*[1-9]\\s*\\}$")))
        #expect(json.ending == .endOfTurn && json.stats?.ending == .endOfTurn)
        #expect(try await ["yes", "no"].contains(completion { $0.regexConstraint = "yes|no" }.message.text))
        let grammar = #"root ::= "(" root ")" | "x""#
        let nested = try await completion { $0.grammarConstraint = grammar }
        #expect(nested.message.text.contains(try Regex(#"^(\(*)x(\)*)$"#)) && nested.ending == .endOfTurn)
        #expect(nested.message.text.count { $0 == "(" } == nested.message.text.count { $0 == ")" })
    }

    @Test("an unenforceable schema is rejected with pointer and keyword, and the conversation stays usable")
    func refused() async throws {
        let conversation = try await load().createConversation()
        let options = short.with(jsonSchema: #"{"properties":{"a":{"disallow":{}}},"type":"object"}"#)
        let error = await #expect(throws: LeapError.self) {
            try await collect(conversation.generateResponse(message: Self.user, generationOptions: options))
        }
        let refusal = try #require(error?.cause as? ConstraintRefusal)
        #expect(refusal.pointer == "#/properties/a/disallow" && refusal.keyword == "disallow")
        #expect(
            error?.message == "the generation failed: the constraint cannot be used: schema #/properties/a/disallow: "
                + "'disallow' cannot be enforced.")
        #expect(conversation.history.isEmpty && !conversation.isGenerating)
        let next = try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
        #expect(next.completion != nil && conversation.history.count == 2)
    }

    @Test(
        "an error in a regular expression or grammar has its position",
        arguments: [
            ("(a", nil, "1"), (nil, "root ::= \"a\" )", "1:14"), ("(?=a)b", nil, "1"),
        ] as [(String?, String?, String)])
    func places(regex: String?, grammar: String?, pointer: String) async throws {
        let error = await #expect(throws: LeapError.self) {
            try await completion { options in
                options.regexConstraint = regex
                options.grammarConstraint = grammar
            }
        }
        #expect((error?.cause as? ConstraintRefusal)?.pointer == pointer)
    }

    @Test("reaching the token limit inside a constraint has its own ending")
    func unfinished() async throws {
        let completion = try await completion { options in
            options.regexConstraint = "a{500}"
            options.maxOutputTokens = 3
        }
        #expect(completion.ending == .maximumTokensInConstraint && completion.finishReason == .stop)
        #expect(completion.stats?.ending == .maximumTokensInConstraint)
    }

    @Test("the schema is appended to the system message unless it is already there or injection is disabled")
    func injected() async throws {
        let runner = try #require(try await load() as? LiquidInferenceEngineRunner)
        func prompt(_ messages: [ChatMessage], _ options: GenerationOptions = .init()) throws -> [Int32] {
            try runner.makeRequest(messages, options: options).prompt.tokens
        }
        let options = GenerationOptions().with(jsonSchema: Self.schema)
        let told = "Answer with JSON that satisfies this JSON Schema:\n" + Self.schema
        func system(_ text: String) -> ChatMessage { ChatMessage(role: .system, textContent: text) }
        #expect(try prompt([Self.user], options) == prompt([system(told), Self.user]))
        #expect(try prompt([system("Hi."), Self.user], options) == prompt([system("Hi.\n\n" + told), Self.user]))
        let known = [system("Follow " + Self.schema), Self.user]
        #expect(try prompt(known, options) == prompt(known))
        #expect(try prompt([Self.user], options.with(injectSchemaIntoPrompt: false)) == prompt([Self.user]))
    }

    struct InvalidOption: Sendable, CustomStringConvertible {
        let text: String
        let change: @Sendable (GenerationOptions) -> Void
        var description: String { text }

        init(_ text: String, _ change: @escaping @Sendable (GenerationOptions) -> Void) {
            self.text = text
            self.change = change
        }
    }

    private static let invalidOptions = [
        InvalidOption("the logit bias names token 400, but the vocabulary has the tokens 0 to 386") {
            $0.logitBias = [400: 1]
        },
        InvalidOption("thinkingBudget must be 0 or more, but is -1") { $0.thinkingBudget = -1 },
        InvalidOption("topLogprobs must be 0 or more, but is -2") { $0.topLogprobs = -2 },
        InvalidOption("the DRY multiplier must be a finite number of at least 0, found -1.0.") {
            $0.dry = DRYSampling(multiplier: -1)
        },
        InvalidOption(
            "an answer can have only one constraint: set only one of jsonSchemaConstraint, regexConstraint and "
                + "grammarConstraint"
        ) {
            $0.regexConstraint = "a"
            $0.jsonSchemaConstraint = "{}"
        },
    ]

    @Test("invalid options are rejected", arguments: invalidOptions)
    func rejectsInvalidOption(_ example: InvalidOption) async throws {
        let error = await #expect(throws: LeapError.self) { try await completion(example.change) }
        #expect(error?.message.hasSuffix(example.text) == true)
    }

    @Test("the completion has the log-probabilities of every token")
    func logprobs() async throws {
        let completion = try await completion { options in
            options.topLogprobs = 2
            options.maxOutputTokens = 5
        }
        let logprobs = try #require(completion.logprobs)
        #expect(logprobs.count == 5 && UInt64(logprobs.count) == completion.stats?.completionTokens)
        for entry in logprobs {
            #expect(entry.logprob < 0 && entry.topLogprobs.count == 2)
            #expect(entry.topLogprobs[0].logprob >= entry.topLogprobs[1].logprob)
            #expect(entry.token == String(decoding: entry.bytes, as: UTF8.self))
        }
        #expect(try await self.completion { $0.maxOutputTokens = 2 }.logprobs == nil)
    }

    @Test("stop strings end an answer, and penalties change it")
    func sampling() async throws {
        let free = try await completion { $0.temperature = 0 }.message.text
        let stop = String(free.dropFirst(3).prefix(2))
        let stopped = try await completion { options in
            options.temperature = 0
            options.stopStrings = [stop]
        }
        #expect(free.hasPrefix(stopped.message.text) && !stopped.message.text.contains(stop))
        let penalized = try await completion { options in
            options.temperature = 0
            (options.frequencyPenalty, options.presencePenalty) = (2, 2)
        }
        #expect(penalized.message.text != free)
    }

    @Test("DRY and XTC settings reach the sampler")
    func samplerSettings() async throws {
        let runner = try #require(try await load() as? LiquidInferenceEngineRunner)
        let options = GenerationOptions()
        options.dry = DRYSampling(multiplier: 5, base: 2, allowedLength: 1, window: 90, sequenceBreakers: ["\n"])
        options.xtc = XTCSampling(probability: 0.25, threshold: 0.5)
        let sampling = try runner.makeRequest([Self.user], options: options).sampling
        #expect(sampling.dry.multiplier == 5 && sampling.dry.base == 2 && sampling.dry.allowedLength == 1)
        #expect(sampling.dry.window == 90 && !sampling.dry.breakers.isEmpty)
        #expect(sampling.xtcProbability == 0.25 && sampling.xtcThreshold == 0.5)
    }
}
