public import LeapHTTP

/// The settings with which a server starts.
public struct ServerConfiguration: Sendable {
    /// Where it listens.
    public enum Address: Sendable, Hashable {
        /// A host and a port; port 0 is any that is free.
        case tcp(host: String, port: Int)
        /// A socket in the file system, which only its owner may use.
        case unix(path: String)
    }

    /// A model that is offered.
    public struct Offer: Sendable, Hashable {
        /// The name by which clients choose it.
        public var id: String
        /// Its file.
        public var path: String
        /// Other names.
        public var aliases: [String]
        /// Other names that are accepted but never listed, such as the file's path, which clients should not see.
        public var unlistedAliases: [String] = []
        /// A template that takes the place of the file's.
        public var chatTemplate: String?
        /// How it answers requests that do not say; without effect for the model of another server.
        public var defaults = AnswerDefaults()
        /// The server that has the model, which has no file then.
        public var remote: Remote?

        /// Offers a model of another server.
        public init(id: String, _ remote: Remote) {
            self.init(id: id, path: "")
            self.remote = remote
        }

        /// Makes an offer.
        public init(id: String, path: String, aliases: [String] = [], chatTemplate: String? = nil) {
            self.id = id
            self.path = path
            self.aliases = aliases
            self.chatTemplate = chatTemplate
        }
    }

    /// Files in PEM that make a server speak TLS.
    public struct TLSFiles: Sendable, Hashable {
        /// The server's certificate, followed by its chain.
        public var certificate: String
        /// The private key of the first certificate.
        public var key: String

        /// Names the files.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Where it listens.
    public var address = Address.tcp(host: "127.0.0.1", port: 8080)
    /// The descriptor of a socket that listens at this address already; the server becomes its owner. `nil` to open one.
    public var socket: Int32?
    /// Certificate and key where it speaks TLS; they are read again when the files have changed.
    public var tls: TLSFiles?
    /// What is offered, under different names, the usual model first.
    public var models: [Offer] = []
    /// What sends requests to other servers; the system's way when `nil`.
    public var transport: (any Transport)?
    /// The name by which balancers tell this server from others; one of its own when `nil`.
    public var node: String?
    /// Who may use a socket in the file system, as `chmod` has it.
    public var socketMode: UInt32 = 0o600
    /// The API keys of clients; empty if no key is required.
    public var keys: [String] = []
    /// Further names by which the server may be addressed.
    public var allowedHosts: Set<String> = []
    /// Origins whose pages may send requests (CORS), such as `https://example.org`; `*` for all.
    public var corsOrigins: Set<String> = []
    /// A prefix of all paths, for use behind a reverse proxy.
    public var prefix = ""
    /// Whether requests with an unknown model name get the first model.
    public var acceptsAnyModel = false
    /// Whether the page at `/` is served.
    public var servesPage = true
    /// Answers that are generated at a time.
    public var parallel = 16
    /// Answers that may wait beside them.
    public var queue = 64
    /// The most answers of one client at a time. `nil` means 24 if clients have keys, and no limit otherwise, because
    /// without keys all programs of a machine count as one client.
    public var perClient: Int?
    /// Conversations of one client at a time, by the header field `X-Session-Id`; `nil` is no limit.
    public var sessionsPerClient: Int?
    /// Bytes of all loaded models together; `nil` is no limit.
    public var maxMemory: Int?
    /// How long an idle model stays loaded; `nil` means forever.
    public var keepAlive: Duration?
    /// How long requests are still taken after a shutdown was requested, while health checks already report it.
    public var drainDelay = Duration.zero
    /// How long answers may continue after the server was asked to end.
    public var drain = Duration.seconds(30)

    /// Other servers' metric names to report besides the server's own.
    public var metricsNames: [MetricsNames] = []
    /// Whether each client has its own prefix cache, so that no client can infer others' prompts from response times.
    public var isolatesCaches = false
    /// Receives one line of JSON per request when its reply is complete. It contains nothing of prompts or answers.
    public var accessLog: (@Sendable (String) -> Void)?

    /// The usual configuration.
    public init() {}
}
