/// The limits of a connection, in bytes and in time.
struct ConnectionLimits: Sendable {
    /// Bytes of a request's body.
    var body = 32 << 20
    /// Bytes of all bodies that are being read.
    var bodies = 256 << 20
    /// Concurrent connections, if the system permits as many.
    var connections = 8192
    /// Bytes of one header field.
    var headerField = 16 << 10
    /// Bytes of all header fields.
    var headers = 64 << 10
    /// Header fields.
    var headerCount = 100
    /// Bytes of the path with its query.
    var path = 16 << 10
    /// Until the next request begins.
    var idle = Duration.seconds(75)
    /// From a request's first byte until its header is complete.
    var header = Duration.seconds(10)
    /// From the end of the header until the body is complete, if the body is small.
    var bodyTime = Duration.seconds(30)
    /// The minimum rate of a large body, in bytes per second.
    var bodyRate = 64 << 10
    /// How long a client may leave unread what it was sent.
    var stall = Duration.seconds(30)
    /// How long the body of a refused request is read and dropped, so that the client gets to see the refusal.
    var linger = Duration.seconds(5)
}
