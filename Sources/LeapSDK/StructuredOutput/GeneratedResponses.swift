#if !Leap02 && !Leap06 && !Leap0107 && !Leap010
import Foundation

/// What a generation of a value delivers, in order; ``complete(_:_:)`` comes last.
public enum GeneratedResponse<Value: GeneratableValue> {
    /// Text of the model's thoughts.
    case reasoningChunk(String)
    /// The value as far as it is written. What is there stays: strings and arrays grow, and whatever else appears is final.
    case partial(Value.PartiallyGenerated)
    /// The value, and the end of the generation.
    case complete(Value, MessageCompletion)
}

extension GeneratedResponse: Sendable where Value: Sendable, Value.PartiallyGenerated: Sendable {}

/// The responses of a generation as values of a type, made while they are read.
///
/// A response comes for every piece of text that changes the value, and takes time in proportion to what is written so
/// far.
public struct GeneratedResponses<Value: GeneratableValue>: AsyncSequence {
    /// What is delivered.
    public typealias Element = GeneratedResponse<Value>
    /// What is thrown: mostly ``LeapError``.
    public typealias Failure = any Error

    private let responses: ResponseStream

    init(_ responses: ResponseStream) {
        self.responses = responses
    }

    /// Starts reading. What one iterator has read, no other one reads.
    public func makeAsyncIterator() -> Iterator {
        Iterator(responses: responses.makeAsyncIterator())
    }

    /// Reads responses one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private var responses: ResponseStream.Iterator
        private var parser = PartialJSONParser()
        private var last: PartialJSON?

        fileprivate init(responses: ResponseStream.Iterator) {
            self.responses = responses
        }

        /// The next response; nil at the end.
        ///
        /// - Throws: ``LeapError``: the one with which the generation failed, or ``LeapError/serializationFailure(_:_:)`` for
        ///   an answer that is no value of the type, because it ended too early.
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

        /// The value, if the text has changed it.
        private mutating func read(_ text: String) -> Value.PartiallyGenerated? {
            parser.append(text)
            guard let json = parser.json, json != last else { return nil }
            last = json
            return Value.partiallyGenerated(from: json)
        }

        /// The end; nil for a generation that was stopped or never began.
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
    /// An answer is no value of a type.
    fileprivate static func noValue<Value>(
        _ type: Value.Type, _ completion: MessageCompletion, _ error: any Error
    ) -> LeapError {
        let calls = (completion.message.functionCalls ?? []).map { "'\($0.name)'" }.joined(separator: ", ")
        let reason =
            switch completion.ending {
            case _ where !calls.isEmpty: "it calls \(calls): what it asks for stands in the history"
            case .maximumTokens, .maximumTokensInConstraint:
                "it ended at the most tokens that were asked for: raise maxOutputTokens"
            case .contextFull: "it ended where the context was full: load the model with a larger contextSize"
            default: "\(error)"
            }
        return .serializationFailure("the answer is no value of '\(type)', because \(reason)", error)
    }
}

// MARK: - Conversations

extension Conversation {
    /// Appends a message and generates a value of a type, which can be read while it is being written.
    ///
    ///     for try await response in conversation.generateResponse(message: question, as: CityFact.self) {
    ///         switch response {
    ///         case .partial(let fact): show(fact.name ?? "…")
    ///         case .complete(let fact, _): keep(fact)
    ///         case .reasoningChunk: continue
    ///         }
    ///     }
    ///
    /// Everything else is as with ``generateResponse(message:generationOptions:)``.
    ///
    /// - Parameters:
    ///   - message: The message to append.
    ///   - type: The type of the value.
    ///   - generationOptions: Options besides the response format, which is the type's.
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

    /// Appends a user's message and generates a value of a type, which can be read while it is being written.
    public func generateResponse<Value: GeneratableValue>(
        userTextMessage: String, as type: Value.Type, generationOptions: GenerationOptions? = nil
    ) -> GeneratedResponses<Value> {
        generateResponse(
            message: ChatMessage(role: .user, textContent: userTextMessage), as: type,
            generationOptions: generationOptions)
    }
}
#endif
