/// The configuration of a client.
///
/// It can be printed safely: its description does not contain the API key.
public struct OpenAiClientConfig: Sendable, Hashable {
    /// The API key, sent as `Authorization: Bearer …`. If empty, no such header is sent, as for your own servers.
    public var apiKey: String
    /// The base URL of the API, including its version: `https://openrouter.ai/api/v1`, `http://10.0.0.42:8000/v1`.
    public var baseUrl: String
    /// The path that is appended to ``baseUrl``.
    public var chatCompletionsPath: String
    /// Additional headers of every request, which take precedence over the client's own.
    public var extraHeaders: [String: String]
    /// The timeouts of requests.
    public var timeouts: OpenAiTimeouts
    /// The rules for retries.
    public var retries: OpenAiRetries
    /// The limits on the size of streamed events.
    public var limits: ServerSentEventLimits

    /// Creates a configuration.
    public init(
        apiKey: String, baseUrl: String = "https://api.openai.com/v1",
        chatCompletionsPath: String = "/chat/completions", extraHeaders: [String: String] = [:],
        timeouts: OpenAiTimeouts = .init(), retries: OpenAiRetries = .init(), limits: ServerSentEventLimits = .init()
    ) {
        self.apiKey = apiKey
        self.baseUrl = baseUrl
        self.chatCompletionsPath = chatCompletionsPath
        self.extraHeaders = extraHeaders
        self.timeouts = timeouts
        self.retries = retries
        self.limits = limits
    }
}

/// The timeouts of a request; `nil` for no limit.
public struct OpenAiTimeouts: Sendable, Hashable {
    /// The time until the connection is established. Sending the request, which may contain pictures, does not count.
    public var connect: Duration?
    /// The time until the next bytes arrive, including the first ones: a server may take long to process a prompt
    /// before it sends anything. Each part of the request that is sent starts it again.
    public var idle: Duration?
    /// The time until the end of the answer.
    public var whole: Duration?

    /// Creates timeouts.
    public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(300), whole: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.whole = whole
    }
}

extension OpenAiClientConfig: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The base URL, without secrets.
    public var description: String { "OpenAiClientConfig(\(EndpointURL.withoutSecrets(baseUrl)))" }

    /// Same as ``description``.
    public var debugDescription: String { description }

    /// A mirror of the properties that are not secret.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["baseUrl": EndpointURL.withoutSecrets(baseUrl), "timeouts": timeouts, "retries": retries])
    }
}
