import Foundation
import HTTPTypes
import LeapHTTP
import LeapJSON
import OrderedCollections
import Synchronization

/// Forwards requests for models of other servers. This server's keys, limits, log and metrics apply; apart from that, it
/// interprets nothing but the model's name.
struct RemoteGateway: Sendable {
    let core: ServerCore

    /// OpenAI's paths, after `/v1`, that other servers have as well.
    private static let paths: Set<String> = ["/chat/completions", "/completions", "/responses", "/embeddings"]
    /// The maximum size of an answer that is not streamed.
    private static let largestAnswer = 64 << 20
    /// The maximum size of another server's error message.
    private static let largestRefusal = 1 << 20

    /// A route that also serves models of other servers.
    func opening(_ route: Route) -> Route {
        let path = route.path.hasPrefix("/v1/") ? String(route.path.dropFirst(3)) : route.path
        guard route.method == .post, Self.paths.contains(path) else { return route }
        var opened = route
        opened.answer = { exchange, rest in
            // Requests that are not valid in OpenAI's API are rejected by the route itself.
            guard let fields = try? exchange.fields(), let backend = core.remote(fields.members["model"]) else {
                return try await route.answer(exchange, rest)
            }
            return try await answer(exchange, backend, path, streams: fields.members["stream"] == .bool(true))
        }
        return opened
    }

    private func answer(
        _ exchange: Exchange, _ backend: RemoteBackend, _ path: String, streams: Bool
    ) async throws -> Reply {
        let admission = try core.admit(exchange, answers: 1)
        defer { withExtendedLifetime(admission) {} }
        exchange.record.setModel(backend.id)
        // Until there is something to write, a client that has stopped sending looks like one that is gone.
        exchange.endsWithClient()
        do {
            let response = try await ask(exchange, backend, path)
            if let error = backend.failure(response.head) { throw error }
            guard response.head.status.kind == .successful, streams else {
                return try await whole(response, backend, exchange)
            }
            return stream(response, backend, exchange, path, admission)
        } catch is CancellationError {
            core.metrics.add(to: .cancellations)
            throw CancellationError()
        }
    }

    /// Forwards a request, and counts its result.
    private func ask(
        _ exchange: Exchange, _ backend: RemoteBackend, _ path: String
    ) async throws -> TransportResponse {
        do {
            let response = try await core.untilEnd {
                try await backend.send(
                    path, ModelField.replaced(in: exchange.body, by: backend.model),
                    RemoteHeaders.outgoing(exchange.headers), id: exchange.id)
            }
            count(backend, "\(response.head.status.code)")
            return response
        } catch let error as APIError {
            count(backend, "none")
            throw error
        }
    }

    private func count(_ backend: RemoteBackend, _ status: String) {
        core.metrics.add(to: .remoteRequests, labels: "\(backend.label),status=\"\(status)\"")
    }

    /// An answer or error that is sent once it is complete.
    private func whole(
        _ response: TransportResponse, _ backend: RemoteBackend, _ exchange: Exchange
    ) async throws -> Reply {
        let (head, isAnswer) = (response.head, response.head.status.kind == .successful)
        let limit = isAnswer ? Self.largestAnswer : Self.largestRefusal
        let body: Data?
        do {
            body = try await core.untilEnd { try await response.body.collect(upTo: limit) }
        } catch let error as TransportError {
            throw backend.failure(error)
        }
        guard let body else {
            throw APIError(
                .badGateway(retryAfter: nil), "the remote server of '\(backend.id)' sent more than \(limit) bytes",
                code: "remote_failed")
        }
        let bytes = Array(body)
        if isAnswer {
            var usage = RemoteUsage()
            usage.read(document: bytes)
            recordUsage(usage, backend, exchange)
        }
        return .whole(
            head.status, bytes, type: head.headerFields[.contentType] ?? "application/json",
            RemoteHeaders.returning(head.headerFields))
    }

    /// An answer whose events are forwarded as they arrive. The other server is read no faster than the client reads.
    private func stream(
        _ response: TransportResponse, _ backend: RemoteBackend, _ exchange: Exchange, _ path: String,
        _ admission: Admission
    ) -> Reply {
        let type = response.head.headerFields[.contentType] ?? ServerSentEvents.type
        var fields = RemoteHeaders.returning(response.head.headerFields)
        fields[.cacheControl] = "no-cache"
        fields[.accelBuffering] = "no"
        let isOfEvents = type.hasPrefix(ServerSentEvents.type)
        return .stream(type: type, fields) { sink in
            defer { withExtendedLifetime(admission) {} }
            let usage = Mutex(RemoteUsage())
            let events = Mutex(RemoteEvents())
            defer { recordUsage(usage.withLock(\.self), backend, exchange) }
            func end(_ failure: APIError) async throws {
                // In any other place no error can be inserted, so the stream just ends.
                guard isOfEvents, events.withLock(\.areWhole) else { throw failure }
                try await sink.write(
                    path == "/responses"
                        ? ResponsesStream.error(failure, number: events.withLock(\.nextNumber))
                        : ServerSentEvents.event(failure.openAIDocument))
            }
            do {
                try await core.untilEnd {
                    for try await piece in response.body {
                        usage.withLock { $0.read(piece) }
                        let bytes = isOfEvents ? events.withLock { $0.take(piece) } : Array(piece)
                        if !bytes.isEmpty { try await sink.write(bytes) }
                    }
                    let rest = events.withLock(\.rest)
                    if !rest.isEmpty { try await sink.write(rest) }
                }
            } catch let error as TransportError {
                try await end(backend.failure(error))
            } catch let error as APIError {
                try await end(error)
            } catch {
                core.metrics.add(to: .cancellations)
                throw error
            }
        }
    }

    private func recordUsage(_ usage: RemoteUsage, _ backend: RemoteBackend, _ exchange: Exchange) {
        guard let count = usage.count else { return }
        exchange.record.setRemoteUsage(count)
        core.metrics.add(Double(count.prompt), to: .remotePromptTokens, labels: backend.label)
        core.metrics.add(Double(count.completion), to: .remoteCompletionTokens, labels: backend.label)
    }
}

extension ServerCore {
    /// The other server for a request; `nil` if its model is local or unknown.
    ///
    /// - Parameter model: The request's field.
    func remote(_ model: JSONValue?) -> RemoteBackend? {
        switch model {
        case .string(let name):
            if let card = try? pool.card(name) { return card.remote }
            return configuration.acceptsAnyModel ? (try? pool.card(nil))?.remote : nil
        case nil, .null: return (try? pool.card(nil))?.remote
        default: return nil
        }
    }
}
