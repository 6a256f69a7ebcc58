import LeapJSON
import Foundation
import HTTPTypes
import LeapHTTP
import Synchronization

/// Sends requests on behalf of the hub: adds the token for its server, follows permitted redirects, and converts
/// rejections to errors.
struct Fetcher: Sendable {
    let transport: any Transport
    let configuration: HubConfiguration
    /// The servers that have answered.
    let known: KnownServers

    /// The maximum number of redirects that are followed.
    static let maximumRedirects = 5

    /// A response with its final URL, and the first redirect on the way to it.
    struct Answer {
        let url: URL
        let head: HTTPResponse
        let body: TransportBody
        /// The response of the requested URL if it was a redirect, in which Hugging Face reports a file's size and
        /// hash.
        let origin: HTTPResponse?
    }

    /// Sends a request, and follows redirects.
    ///
    /// - Parameters:
    ///   - headers: The headers sent to every server on the way, without the token.
    ///   - accepted: Statuses other than 2xx that are accepted.
    ///   - whole: The timeout for the whole response, including its body; if `nil`, there is no limit as long as data
    ///     arrives.
    ///   - isEnough: Whether a redirect is accepted as the answer.
    /// - Throws: ``HubError``, within ``Retryable`` if another attempt may help, or `CancellationError`.
    func send(
        _ method: HTTPRequest.Method, _ url: URL, headers: HTTPFields = [:], accepted: Set<Int> = [],
        whole: Duration? = nil,
        isEnough: (HTTPResponse) -> Bool = { _ in false }
    ) async throws -> Answer {
        if configuration.isOffline { throw HubError.offline(url.withoutSecrets, available: []) }
        var url = url
        var origin: HTTPResponse?
        for _ in 0...Self.maximumRedirects {
            let response = try await exchange(method, url, headers, whole)
            guard Self.redirects.contains(response.head.status.code), !isEnough(response.head),
                let location = response.head.headerFields[.location]
            else {
                if !isEnough(response.head) { try await check(response, url, accepted) }
                return Answer(url: url, head: response.head, body: response.body, origin: origin)
            }
            origin = origin ?? response.head
            url = try target(of: location, from: url)
        }
        throw HubError.redirectRefused(
            url.withoutSecrets, to: "another URL", "more than \(Self.maximumRedirects) redirects")
    }

    /// Fetches a small document, with retries.
    ///
    /// - Throws: ``HubError`` or `CancellationError`.
    func document(_ url: URL) async throws -> Data {
        try await configuration.retries.run {
            let answer = try await send(
                .get, url, headers: [.accept: "application/json", .acceptEncoding: "identity"],
                whole: Self.documentTime)
            do {
                guard let bytes = try await answer.body.collect(upTo: ModelManifest.maximumSize) else {
                    throw HubError.invalidManifest(
                        url.withoutSecrets, "it is larger than \(Int64(ModelManifest.maximumSize).asBytes)")
                }
                return bytes
            } catch let error as TransportError {
                throw Retryable(error: .network(error))
            }
        }
    }

    /// The time limit for a small document, which otherwise could arrive byte by byte without end.
    private static let documentTime = Duration.seconds(120)
    /// How long to wait for the text of a rejection.
    private static let refusalTime = Duration.seconds(3)
    private static let redirects: Set<Int> = [301, 302, 303, 307, 308]

    private func exchange(
        _ method: HTTPRequest.Method, _ url: URL, _ headers: HTTPFields, _ whole: Duration?
    ) async throws -> TransportResponse {
        var headers = headers
        headers[.userAgent] = configuration.userAgent
        if let token = configuration.token(for: url) { headers[.authorization] = "Bearer \(token)" }
        do {
            let request = try HTTPRequest(method, to: url, headerFields: headers)
            var timeouts = configuration.timeouts
            if let whole { timeouts.whole = min(whole, timeouts.whole ?? whole) }
            let response = try await transport.send(request, body: nil, timeouts: timeouts)
            known.add(url)
            return response
        } catch let error as TransportError {
            guard error.mayPass else { throw HubError.network(error) }
            throw Retryable(error: .network(error), isOnceMore: error.isServerAbsent && !known.contains(url))
        }
    }

    private func target(of location: String, from url: URL) throws(HubError) -> URL {
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL else {
            throw .redirectRefused(url.withoutSecrets, to: "'\(location.escaped)'", "it is not a URL")
        }
        if let objection = configuration.policy.objection(to: target, from: url) {
            throw .redirectRefused(url.withoutSecrets, to: target.withoutSecrets, objection)
        }
        return target
    }

    private func check(_ response: TransportResponse, _ url: URL, _ accepted: Set<Int>) async throws {
        let code = response.head.status.code
        if 200..<300 ~= code || accepted.contains(code) { return }
        let name = url.withoutSecrets
        let words = try await Self.words(of: response)
        switch code {
        case 401, 403: throw HubError.accessDenied(name, status: code, words)
        case 404, 410: throw HubError.notFound(name)
        case 408, 425, 429, 500, 502, 503, 504:
            let retryAfter = RetryAfter.delay(in: response.head.headerFields)
            throw Retryable(error: .status(name, code, words), retryAfter: retryAfter)
        default: throw HubError.status(name, code, words)
        }
    }

    /// Returns a server's message about a rejection, in one line.
    private static func words(of response: TransportResponse) async throws -> String {
        if let name = HTTPField.Name("X-Error-Message"), let text = response.head.headerFields[name] {
            return text.escaped
        }
        // The refusal stands even if its text cannot be read. An HTML page is of no use in a one-line message.
        let bytes = try await response.body.beginning(upTo: 4096, within: refusalTime)
        if bytes.first == UInt8(ascii: "<") { return "" }
        if let json = try? JSONValue(bytes, source: "") {
            let text = json["error"]?.string ?? json["error"]?["message"]?.string ?? json["message"]?.string
            if let text { return text.escaped }
        }
        let text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
        return text?.escaped ?? ""
    }
}

extension TransportError {
    /// Whether another attempt may succeed.
    var mayPass: Bool {
        switch self {
        case .hostNotFound, .connectionRefused, .connectionFailed, .timedOut, .connectionLost: true
        case .invalidURL, .tls, .invalidResponse, .proxyFailed, .shutDown, .notBuilt, .other: false
        }
    }

    /// Whether the error of a server that never answered means that it does not exist: its name is wrong or there is no
    /// network, or its port is wrong or it was not started. A server that answered before is only gone temporarily.
    fileprivate var isServerAbsent: Bool {
        switch self {
        case .hostNotFound, .connectionRefused: true
        default: false
        }
    }
}

/// The servers that have answered since the program began.
final class KnownServers: Sendable {
    private let origins = Mutex<Set<Origin>>([])

    func add(_ url: URL) {
        if let origin = Origin(url) { origins.withLock { _ = $0.insert(origin) } }
    }

    func contains(_ url: URL) -> Bool {
        Origin(url).map { origin in origins.withLock { $0.contains(origin) } } ?? false
    }
}
