import Foundation
package import LeapHTTP

/// A client for OpenAI's chat completions API, as served by OpenAI, OpenRouter, vLLM, SGLang, llama-server and others.
///
///     let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "sk-…"))
///     let request = ChatCompletionRequest(model: "gpt-4o-mini", messages: [ChatMessage.User(content: "Hello!")])
///     for try await event in client.streamChatCompletion(request: request) {
///         if case .delta(let delta) = event { print(delta.content, terminator: "") }
///     }
///
/// A client can send any number of requests at the same time. Its connections are kept open between them, until
/// ``close()`` is called or the client and its streams are released.
public final class OpenAiClient: Sendable {
    /// The configuration.
    public let config: OpenAiClientConfig
    let connection: Connection

    /// Creates a client. It connects with its first request.
    ///
    /// Its proxies and certificates are those of the environment variables `http_proxy`, `https_proxy`, `all_proxy`,
    /// `no_proxy` and `SSL_CERT_FILE`; servers on this machine are reached directly. If a variable names another kind of
    /// proxy, the requests to which it applies fail.
    public convenience init(config: OpenAiClientConfig) {
        let configuration = Self.transportConfiguration(environment: ProcessInfo.processInfo.environment)
        self.init(config: config, transport: SystemTransport(configuration: configuration))
    }

    /// The configuration of the connections.
    static func transportConfiguration(environment: [String: String]) -> TransportConfiguration {
        // As many streams at once as a program may want; the server has limits of its own.
        var configuration = TransportConfiguration(environment: environment, connectionsPerHost: 1024)
        // Many servers of models run on this machine, which a proxy elsewhere cannot reach.
        configuration.proxies.excluded += ["localhost", "127.0.0.0/8", "::1"]
        return configuration
    }

    /// Creates a client that sends its requests with a given transport, which it shuts down in the end.
    package init(config: OpenAiClientConfig, transport: any Transport) {
        self.config = config
        connection = Connection(transport)
    }

    deinit { connection.close() }

    /// Streams the answer to a request. Failures are delivered as events, not thrown as errors.
    public func streamChatCompletion(request: ChatCompletionRequest) -> ChatCompletionStream {
        ChatCompletionStream(client: self, request: request)
    }

    /// Returns the complete answer to a request.
    ///
    /// - Throws: ``OpenAiError`` or `CancellationError`.
    public func chatCompletion(request: ChatCompletionRequest) async throws -> ChatCompletion {
        var completion = ChatCompletion()
        for try await event in streamChatCompletion(request: request) {
            switch event {
            case .delta(let delta):
                completion.append(delta)
                if completion.size > Self.longestAnswer {
                    throw OpenAiError.tooLarge(
                        url: EndpointURL.withoutSecrets(config.baseUrl),
                        "the answer exceeds the limit of \(Self.longestAnswer) bytes; stream it instead")
                }
            case .done(let end): completion.end = end
            case .error(let error): throw error.cause
            }
        }
        return completion
    }

    /// The maximum size of a complete answer in bytes.
    private static let longestAnswer = 64 << 20

    /// Closes all connections. Active streams end with ``OpenAiError/closed``, as do all later ones. Can be called more
    /// than once.
    public func close() {
        connection.close()
    }
}
