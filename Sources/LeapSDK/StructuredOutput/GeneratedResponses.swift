#if !Leap02 && !Leap06 && !Leap0107 && !Leap010
import Foundation

/// A response of a generation that generates a value. Responses are delivered in order; the last one is
/// ``complete(_:_:)``, unless the generation is stopped.
public enum GeneratedResponse<Value: GeneratableValue> {
    /// A piece of the model's reasoning.
    case reasoningChunk(String)
    /// The value generated so far. Strings and arrays grow; everything else is final as soon as it appears.
    case partial(Value.PartiallyGenerated)
    /// The complete value, and the end of the generation.
    case complete(Value, MessageCompletion)
}

extension GeneratedResponse: Sendable where Value: Sendable, Value.PartiallyGenerated: Sendable {}

/// The responses of a generation that generates a value of a type. They are parsed as they are read.
///
/// Each piece of text that changes the value produces a response, in time proportional to the text generated so far.
public struct GeneratedResponses<Value: GeneratableValue>: AsyncSequence, Sendable {
    /// The type of the responses.
    public typealias Element = GeneratedResponse<Value>
    /// The type of thrown errors; usually a ``LeapError``.
    public typealias Failure = any Error

    private let responses: ResponseStream

    init(_ responses: ResponseStream) {
        self.responses = responses
    }

    /// Starts reading. A response is delivered to one iterator only.
    public func makeAsyncIterator() -> Iterator {
        Iterator(responses: responses.makeAsyncIterator())
    }

    /// Reads the responses one at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private var responses: ResponseStream.Iterator
        private var parser = PartialJSONParser()
        private var last: PartialJSON?

        fileprivate init(responses: ResponseStream.Iterator) {
            self.responses = responses
        }

        /// Returns the next response; `nil` at the end.
        ///
        /// - Throws: ``LeapError``: the error with which the generation failed, or
        ///   ``LeapError/serializationFailure(_:_:)`` if the answer is not a value of the type, for example because it
        ///   ended too early.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            while let response = try await responses.next(isolation: actor) {
                switch response {
                case .chunk(let text):
                    if let value = read(text) { return .partial(value) }
                case .reasoningChunk(let text):
                    return .reasoningChunk(text)
                case .complete(let completion):
                    return try end(completion)
                case .audioSample, .functionCall:
                    continue
                }
            }
            return nil
        }

        /// Returns the value if the text has changed it.
        private mutating func read(_ text: String) -> Value.PartiallyGenerated? {
            parser.append(text)
            guard let json = parser.json, json != last else { return nil }
            last = json
            return Value.partiallyGenerated(from: json)
        }

        /// Returns the final response; `nil` for a generation that was stopped or never started.
        private func end(_ completion: MessageCompletion) throws -> Element? {
            guard ![.interrupted, .busy].contains(completion.ending) else { return nil }
            do {
                let text = Data(completion.message.text.utf8)
                return .complete(try JSONDecoder.generatable.decode(Value.self, from: text), completion)
            } catch {
                throw LeapError.noValue(Value.self, completion, error)
            }
        }
    }
}

extension LeapError {
    /// The error for an answer that is not a value of a type.
    fileprivate static func noValue<Value>(
        _ type: Value.Type, _ completion: MessageCompletion, _ error: any Error
    ) -> LeapError {
        let calls = (completion.message.functionCalls ?? []).map { "'\($0.name)'" }.joined(separator: ", ")
        let reason =
            switch completion.ending {
            case _ where !calls.isEmpty: "it calls \(calls): see the calls in the history"
            case .maximumTokens, .maximumTokensInConstraint:
                "it reached the maximum number of tokens: raise maxOutputTokens"
            case .contextFull: "it filled the context window: load the model with a larger contextSize"
            default: "\(error)"
            }
        return .serializationFailure("the answer is not a value of '\(type)', because \(reason)", error)
    }
}

// MARK: - Conversations

extension Conversation {
    /// Appends a message and generates a value of a type, which can be read while it is being generated.
    ///
    ///     for try await response in conversation.generateResponse(message: question, as: CityFact.self) {
    ///         switch response {
    ///         case .partial(let fact): show(fact.name ?? "…")
    ///         case .complete(let fact, _): keep(fact)
    ///         case .reasoningChunk: continue
    ///         }
    ///     }
    ///
    /// In all other respects, this is like ``generateResponse(message:generationOptions:)``.
    ///
    /// - Parameters:
    ///   - message: The message to append.
    ///   - type: The type of the value.
    ///   - generationOptions: How to generate; the response format is replaced by that of the type.
    public func generateResponse<Value: GeneratableValue>(
        message: ChatMessage, as type: Value.Type, generationOptions: GenerationOptions? = nil
    ) -> GeneratedResponses<Value> {
        let options = GenerationOptions(generationOptions?.values ?? .init())
        options.inlineThinkingTags = false
        do { try options.setResponseFormat(type: type) } catch {
            return GeneratedResponses(ResponseStream { $0.finish(throwing: error) })
        }
        return GeneratedResponses(generateResponse(message: message, generationOptions: options))
    }

    /// Appends a text message of the user and generates a value of a type, which can be read while it is being
    /// generated.
    public func generateResponse<Value: GeneratableValue>(
        userTextMessage: String, as type: Value.Type, generationOptions: GenerationOptions? = nil
    ) -> GeneratedResponses<Value> {
        generateResponse(
            message: ChatMessage(role: .user, textContent: userTextMessage), as: type,
            generationOptions: generationOptions)
    }
}
#endif
