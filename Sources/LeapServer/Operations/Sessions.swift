import HTTPTypes
import Synchronization

/// Limits the number of conversations per client, so that no client can fill the whole cache.
///
/// Clients name a session by `X-Session-Id`. It lasts while one of its answers is under way, and for a while afterwards. A
/// request without a session id is a session of its own until it is answered.
final class Sessions: Sendable {
    private struct Session {
        var answers = 0
        var lastUse = ContinuousClock.now
    }

    fileprivate struct Key: Hashable {
        let client: String
        let session: String
    }

    /// The most sessions of a client; `nil` is no limit.
    private let limit: Int?
    /// How long an idle session lasts.
    private let idleTimeout: Duration
    private let sessions = Mutex<[Key: Session]>([:])

    init(limit: Int?, idleTimeout: Duration = .seconds(300)) {
        self.limit = limit
        self.idleTimeout = idleTimeout
    }

    /// The header field that names a session.
    static let field = HTTPField.Name("x-session-id") ?? .via

    /// Adds a request to its session for as long as the returned visit is held.
    ///
    /// - Throws: An error if the client has reached its limit of sessions.
    func enter(_ client: String, session: String?) throws(APIError) -> Visit {
        guard let limit else { return Visit(nil, Key(client: client, session: "")) }
        let name = session.map { "named \($0.prefix(256))" } ?? Identifier.make("unnamed ")
        let key = Key(client: client, session: name)
        try sessions.withLock { sessions throws(APIError) in
            sessions = sessions.filter { $0.value.answers > 0 || $0.value.lastUse + idleTimeout > .now }
            let own = sessions.filter { $0.key.client == client }
            guard own[key] != nil || own.count < limit else {
                let rest = own.values.map {
                    $0.answers > 0 ? Duration.seconds(1) : $0.lastUse + idleTimeout - .now
                }.min()
                throw APIError(
                    .rateLimited(retryAfter: max(1, Int(((rest ?? .zero) / .seconds(1)).rounded(.up)))),
                    "the limit of sessions per client is reached (\(limit)): reuse one, end one with "
                        + "DELETE /v1/sessions/ID, or wait",
                    code: "session_limit_exceeded")
            }
            sessions[key, default: Session()].answers += 1
        }
        return Visit(self, key)
    }

    /// Ends a client's session.
    ///
    /// - Returns: Whether there was an idle one.
    func end(_ session: String, of client: String) -> Bool {
        let key = Key(client: client, session: "named \(session.prefix(256))")
        return sessions.withLock { sessions in
            guard sessions[key]?.answers == 0 else { return false }
            sessions[key] = nil
            return true
        }
    }

    /// Sessions of a client.
    func count(of client: String) -> Int { sessions.withLock { $0.keys.count { $0.client == client } } }

    private func release(_ key: Key) {
        sessions.withLock { sessions in
            guard var session = sessions[key] else { return }
            session.answers -= 1
            session.lastUse = .now
            // A session without a name is never used again.
            sessions[key] = key.session.hasPrefix("unnamed ") ? nil : session
        }
    }

    /// A request's part in a session.
    final class Visit: Sendable {
        private let sessions: Sessions?
        private let key: Key

        fileprivate init(_ sessions: Sessions?, _ key: Key) {
            self.sessions = sessions
            self.key = key
        }

        deinit { sessions?.release(key) }
    }
}

/// A request's place and its share in a session, released when the last reference is.
struct Admission: Sendable {
    private let permit: AdmissionControl.Permit
    private let visit: Sessions.Visit

    fileprivate init(_ permit: AdmissionControl.Permit, _ visit: Sessions.Visit) {
        self.permit = permit
        self.visit = visit
    }
}

extension ServerCore {
    /// Admits a request.
    ///
    /// - Throws: An error if its client's or the server's limit is reached, or the server is shutting down.
    func admit(_ exchange: Exchange, answers: Int) throws(APIError) -> Admission {
        try refuseWhileDraining()
        let visit = try sessions.enter(exchange.client, session: exchange.headers[Sessions.field])
        // A request's record is unique while it is answered, whatever ID its client gives it.
        let permit = try admission.admit(exchange.client, answers: answers, of: ObjectIdentifier(exchange.record))
        return Admission(permit, visit)
    }

    /// Ends a session by its name.
    var sessionRoute: Route {
        Route(method: .delete, path: "/v1/sessions/*", about: "Ends a session") { exchange, session in
            guard self.sessions.end(session, of: exchange.client) else {
                throw APIError(.notFound, "you have no idle session '\(session)'")
            }
            return .whole(.noContent, [], type: "text/plain")
        }
    }
}
