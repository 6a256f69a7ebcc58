package import LeapHTTP

/// A client of OpenAI's chat completions, as OpenAI, OpenRouter, vLLM, SGLang, llama-server and others serve them.
///
///     let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "sk-…"))
///     let request = ChatCompletionRequest(model: "gpt-4o-mini", messages: [ChatMessage.User(content: "Hello!")])
///     for try await event in client.streamChatCompletion(request: request) {
///         if case .delta(let delta) = event { print(delta.content, terminator: "") }
///     }
///
/// One client serves any number of requests at once. Its connections stay open between them, until ``close()`` or until
/// nobody holds the client and its streams any more.
public final class OpenAiClient: Sendable {
    /// Where requests go.
    public let config: OpenAiClientConfig
    let connection: Connection

    /// Makes a client, which connects when it gets a request.
    public convenience init(config: OpenAiClientConfig) {
        // As many streams at once as a program may want; the server has limits of its own.
        self.init(config: config, transport: SystemTransport(configuration: .init(connectionsPerHost: 1024)))
    }

    /// Makes a client that sends its requests by a given transport, which it shuts down in the end.
    package init(config: OpenAiClientConfig, transport: any Transport) {
        self.config = config
        connection = Connection(transport)
    }

    deinit { connection.close() }

    /// The answer to a request, piece by piece. What fails is an event, not an error that is thrown.
    public func streamChatCompletion(request: ChatCompletionRequest) -> ChatCompletionStream {
        ChatCompletionStream(client: self, request: request)
    }

    /// The answer to a request, as a whole.
    ///
    /// - Throws: ``OpenAiError``, or `CancellationError`.
    public func chatCompletion(request: ChatCompletionRequest) async throws -> ChatCompletion {
        var completion = ChatCompletion()
        for try await event in streamChatCompletion(request: request) {
            switch event {
            case .delta(let delta):
                completion.append(delta)
                if completion.size > Self.longestAnswer {
                    throw OpenAiError.tooLarge(
                        url: EndpointURL.withoutSecrets(config.baseUrl),
                        "an answer of more than \(Self.longestAnswer) bytes; stream it instead")
                }
            case .done(let end): completion.end = end
            case .error(let error): throw error.cause
            }
        }
        return completion
    }

    /// The most bytes of an answer as a whole.
    private static let longestAnswer = 64 << 20

    /// Closes all connections. Streams that are being read end with ``OpenAiError/closed``, and so does every later one.
    /// May be called more than once.
    public func close() {
        connection.close()
    }
}
