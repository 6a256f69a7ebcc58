import HTTPTypes

/// Turns a request into its reply: checks access, finds the route, and reports errors.
struct Router: Sendable {
    let core: ServerCore
    let table: RouteTable

    /// Answers any request.
    func respond(_ exchange: Exchange) async -> Reply {
        var exchange = exchange
        let route = route(of: exchange)
        let reply = await withTaskExecutorPreference(core.executors.executor(for: exchange)) {
            await self.reply(&exchange)
        }
        let fields = core.policy.crossOriginFields(exchange) + core.balancerFields(exchange)
        return logged(reply.adding(HTTPFields(fields)), exchange, route)
    }

    /// Why a request is refused by its header alone; `nil` to read its body.
    func refusal(_ exchange: Exchange) -> APIError? {
        do {
            guard !isPreflight(exchange), try !place(exchange).route.isPublic else { return nil }
            try core.refuseWhileDraining()
            return nil
        } catch { return error }
    }

    private func reply(_ exchange: inout Exchange) async -> Reply {
        do {
            if let refusal = exchange.refusal { throw refusal }
            if isPreflight(exchange) { return preflight(exchange) }
            let place = try place(exchange)
            if let client = place.client { exchange.client = client }
            return try await place.route.answer(exchange, place.rest)
        } catch {
            let error = error as? APIError ?? APIError(engine: error)
            core.recordFailure(error, exchange)
            return dialect(of: exchange).reply(error, id: exchange.id)
        }
    }

    /// The route of a request, and the client, if that must be known.
    ///
    /// - Throws: The reason why it is rejected.
    private func place(_ exchange: Exchange) throws(APIError) -> (route: Route, rest: String, client: String?) {
        let path = path(of: exchange)
        switch table.match(exchange.method, path) {
        case .route(let route, let rest):
            return (route, rest, try core.policy.check(exchange, isPublic: route.isPublic))
        case .wrongMethod(let methods, _):
            let names = methods.map(\.rawValue).joined(separator: ", ")
            throw APIError(
                .wrongMethod(allowed: methods), "'\(path)' answers \(names), not \(exchange.method.rawValue)")
        case .none: throw APIError(.notFound, "nothing found at '\(path)'")
        }
    }

    private func route(of exchange: Exchange) -> Route? {
        guard case .route(let route, _) = table.match(exchange.method, path(of: exchange)) else { return nil }
        return route
    }

    private func dialect(of exchange: Exchange) -> Route.Dialect {
        let path = path(of: exchange)
        switch table.match(exchange.method, path) {
        case .route(let route, _): return route.dialect
        case .wrongMethod(_, let dialect): return dialect
        case .none: return Route.Dialect(ofPath: path)
        }
    }

    private func isPreflight(_ exchange: Exchange) -> Bool {
        exchange.method == .options && exchange.headers[.origin] != nil
    }

    private func path(of exchange: Exchange) -> String {
        Self.path(exchange.path, removingPrefix: core.configuration.prefix)
    }

    /// The path without the common prefix; a path without the prefix is returned unchanged.
    static func path(_ path: String, removingPrefix prefix: String) -> String {
        guard !prefix.isEmpty, path.hasPrefix(prefix) else { return path }
        let rest = path.dropFirst(prefix.count)
        if rest.isEmpty { return "/" }
        // The prefix must end at a path separator.
        return rest.hasPrefix("/") ? String(rest) : path
    }

    /// Answers the CORS preflight request of another site's page.
    private func preflight(_ exchange: Exchange) -> Reply {
        let fields = core.policy.crossOriginFields(exchange)
        guard !fields.isEmpty else {
            return .error(
                APIError(.forbidden, "requests from the origin '\(exchange.headers[.origin] ?? "")' are not allowed"))
        }
        return .whole(.noContent, [], type: "text/plain", core.policy.preflightFields(exchange))
    }

    /// Counts and logs a request; a stream at its end.
    private func logged(_ reply: Reply, _ exchange: Exchange, _ route: Route?) -> Reply {
        let status = reply.status.code
        core.metrics.add(to: .requests, labels: "endpoint=\"\(route?.path ?? "none")\",status=\"\(status)\"")
        guard let log = core.configuration.accessLog else { return reply }
        let write = { @Sendable (isWhole: Bool) in
            log(exchange.record.line(exchange, endpoint: route?.path, status: status, isWhole: isWhole))
        }
        guard case .stream(let type, let headers, let idle, let stream) = reply else {
            write(reply.status != .clientClosedRequest)
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
