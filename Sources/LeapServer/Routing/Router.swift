import HTTPTypes
import Logging

/// From a request to its reply: who may ask, which route answers, and what is told where none does.
struct Router: Sendable {
    let core: ServerCore
    let table: RouteTable

    /// Answers a request, whatever it is.
    func respond(_ exchange: Exchange) async -> Reply {
        var exchange = exchange
        let (reply, route) = await reply(&exchange)
        let fields = core.policy.crossOriginFields(exchange) + core.balancerFields(exchange)
        return logged(reply.adding(HTTPFields(fields)), exchange, route)
    }

    private func reply(_ exchange: inout Exchange) async -> (Reply, Route?) {
        let path = path(of: exchange)
        if let refusal = exchange.refusal {
            return (Route.Dialect(ofPath: path).reply(refusal, id: exchange.id), nil)
        }
        if exchange.method == .options, exchange.headers[.origin] != nil { return (preflight(exchange), nil) }
        switch table.match(exchange.method, path) {
        case .route(let route, let rest):
            do {
                if let client = try core.policy.check(exchange, isPublic: route.isPublic) { exchange.client = client }
                return (try await route.answer(exchange, rest), route)
            } catch {
                let error = error as? APIError ?? APIError(engine: error)
                note(error, exchange)
                return (route.dialect.reply(error, id: exchange.id), route)
            }
        case .wrongMethod(let methods, let dialect):
            let names = methods.map(\.rawValue).joined(separator: ", ")
            return (
                dialect.reply(
                    APIError(
                        .wrongMethod(allowed: methods), "'\(path)' answers \(names), not \(exchange.method.rawValue)"),
                    id: exchange.id), nil
            )
        case .none:
            let error = APIError(.notFound, "there is nothing at '\(path)'")
            return (Route.Dialect(ofPath: path).reply(error, id: exchange.id), nil)
        }
    }

    private func path(of exchange: Exchange) -> String {
        Self.path(exchange.path, behind: core.configuration.prefix)
    }

    /// A path without what all begin with; one that begins otherwise stays as it is.
    static func path(_ path: String, behind prefix: String) -> String {
        guard !prefix.isEmpty, path.hasPrefix(prefix) else { return path }
        let rest = path.dropFirst(prefix.count)
        if rest.isEmpty { return "/" }
        // What goes on in the midst of a name is another name.
        return rest.hasPrefix("/") ? String(rest) : path
    }

    /// Tells a page of another site what it may ask.
    private func preflight(_ exchange: Exchange) -> Reply {
        let fields = core.policy.crossOriginFields(exchange)
        guard !fields.isEmpty else {
            return .error(APIError(.forbidden, "pages of '\(exchange.headers[.origin] ?? "")' may not ask"))
        }
        return .whole(.noContent, [], type: "text/plain", core.policy.preflightFields(exchange))
    }

    private func note(_ error: APIError, _ exchange: Exchange) {
        switch error.kind {
        case .overloaded, .rateLimited: core.metrics.add(to: .refusals)
        case .failed:
            core.logger.error("a request failed", metadata: ["id": "\(exchange.id)", "error": "\(error.message)"])
        default: break
        }
    }

    /// Counts a request, and has a line logged for it: of a stream, at its end.
    private func logged(_ reply: Reply, _ exchange: Exchange, _ route: Route?) -> Reply {
        let status = reply.status.code
        core.metrics.add(to: .requests, labels: "endpoint=\"\(route?.path ?? "none")\",status=\"\(status)\"")
        guard let log = core.configuration.accessLog else { return reply }
        let write = { @Sendable (isWhole: Bool) in
            log(exchange.record.line(exchange, endpoint: route?.path, status: status, isWhole: isWhole))
        }
        guard case .stream(let type, let headers, let idle, let stream) = reply else {
            write(true)
            return reply
        }
        return .stream(type: type, headers, idle: idle) { sink in
            do { try await stream(sink) } catch {
                write(false)
                throw error
            }
            write(true)
        }
    }
}

extension Reply {
    /// The status.
    var status: HTTPResponse.Status {
        switch self {
        case .whole(let status, _, _, _): status
        case .stream: .ok
        }
    }

    /// The reply with further header fields.
    func adding(_ fields: HTTPFields) -> Reply {
        guard !fields.isEmpty else { return self }
        switch self {
        case .whole(let status, let bytes, let type, var headers):
            headers.append(contentsOf: fields)
            return .whole(status, bytes, type: type, headers)
        case .stream(let type, var headers, let idle, let write):
            headers.append(contentsOf: fields)
            return .stream(type: type, headers, idle: idle, write)
        }
    }
}
