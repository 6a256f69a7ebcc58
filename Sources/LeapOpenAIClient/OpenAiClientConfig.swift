/// Where a client sends its requests.
///
/// It may be printed: the key does not appear.
public struct OpenAiClientConfig: Sendable, Hashable {
    /// Sent as `Authorization: Bearer …`. Empty sends no such header, for servers of one's own.
    public var apiKey: String
    /// The API's address, up to its version: `https://openrouter.ai/api/v1`, `http://10.0.0.42:8000/v1`.
    public var baseUrl: String
    /// What is appended to ``baseUrl``.
    public var chatCompletionsPath: String
    /// Headers of every request. They take precedence over the client's own.
    public var extraHeaders: [String: String]
    /// How long to wait.
    public var timeouts: OpenAiTimeouts
    /// How often to try again.
    public var retries: OpenAiRetries
    /// How much of a stream is remembered at once.
    public var limits: ServerSentEventLimits

    /// Makes a configuration.
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

/// How long a request may wait; `nil` is for ever.
public struct OpenAiTimeouts: Sendable, Hashable {
    /// Until the server is connected.
    public var connect: Duration?
    /// Until the next bytes come, the first ones included: a server may compute a long prompt before it sends anything.
    public var idle: Duration?
    /// Until the end of the answer.
    public var whole: Duration?

    /// Makes timeouts.
    public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(300), whole: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.whole = whole
    }
}

extension OpenAiClientConfig: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address.
    public var description: String { "OpenAiClientConfig(\(EndpointURL.withoutSecrets(baseUrl)))" }

    /// Same as ``description``.
    public var debugDescription: String { description }

    /// The parts that are no secrets.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["baseUrl": EndpointURL.withoutSecrets(baseUrl), "timeouts": timeouts, "retries": retries])
    }
}
