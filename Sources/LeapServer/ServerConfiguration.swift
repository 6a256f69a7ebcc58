public import LeapHTTP

/// What a server is told when it starts.
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
        /// Other names that are in no list, such as the file's path, which is nobody's business.
        public var unlistedAliases: [String] = []
        /// A template that takes the place of the file's.
        public var chatTemplate: String?
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
        /// The server's certificate, and behind it those that vouch for it.
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
    /// What is offered, the usual model first.
    public var models: [Offer] = []
    /// What sends requests to other servers; the system's way when `nil`.
    public var transport: (any Transport)?
    /// The name by which balancers tell this server from others; one of its own when `nil`.
    public var node: String?
    /// Who may use a socket in the file system, as `chmod` has it.
    public var socketMode: UInt32 = 0o600
    /// Keys of clients; none where nobody needs one.
    public var keys: [String] = []
    /// Further names by which the server may be addressed.
    public var allowedHosts: Set<String> = []
    /// Sites whose pages may ask, such as `https://example.org`; `*` is all.
    public var corsOrigins: Set<String> = []
    /// What paths begin with, for servers behind others.
    public var prefix = ""
    /// Whether a name that no model has means the first one.
    public var acceptsAnyModel = false
    /// Whether the page at `/` is served.
    public var servesPage = true
    /// Answers that are computed at a time.
    public var parallel = 16
    /// Answers that may wait beside them.
    public var queue = 64
    /// Answers of one client at a time. Without keys, all on one machine are one client, so `nil` is no limit there, and 24
    /// where keys tell clients apart.
    public var perClient: Int?
    /// Conversations of one client at a time, by the header field `X-Session-Id`; `nil` is no limit.
    public var sessionsPerClient: Int?
    /// Bytes of all loaded models together; `nil` is no limit.
    public var maxMemory: Int?
    /// How long a model stays that nobody uses; `nil` is for ever.
    public var keepAlive: Duration?
    /// How long requests are still taken after the server was told to end, and says so where balancers ask for its health.
    public var drainDelay = Duration.zero
    /// How long answers may go on after the server was told to end.
    public var drain = Duration.seconds(30)

    /// Further names under which figures are told.
    public var metricsNames: [MetricsNames] = []
    /// Whether what is learned of prompts is found by the client alone that sent them.
    public var isolatesCaches = false
    /// Takes a line of JSON for each request, when its reply is whole, without a word of what was asked or said.
    public var accessLog: (@Sendable (String) -> Void)?

    /// The usual configuration.
    public init() {}
}
