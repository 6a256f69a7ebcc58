import HTTPTypes
import LeapJSON

/// An endpoint: a method, a path and a handler.
struct Route: Sendable {
    /// The API in whose format errors are written.
    enum Dialect: Sendable {
        case openAI, anthropic, ollama

        /// The dialect of a path that has no route; OpenAI's by default.
        init(ofPath path: String) {
            if path == "/v1/messages" || path.hasPrefix("/v1/messages/") {
                self = .anthropic
            } else {
                self = path.hasPrefix("/api/") ? .ollama : .openAI
            }
        }

        /// The reply to a rejected request.
        func reply(_ error: APIError, id: String) -> Reply {
            switch self {
            case .openAI: .error(error)
            case .anthropic: .json(error.anthropicDocument(id: id), error.status, error.headers)
            case .ollama: .json(["error": .string(error.message)], error.status, error.headers)
            }
        }
    }

    /// The handler's arguments: the request, and the rest of the path if the route's ends in `*`.
    typealias Answer = @Sendable (_ exchange: Exchange, _ rest: String) async throws -> Reply

    /// The method.
    let method: HTTPRequest.Method
    /// The path; a `*` at its end matches any rest.
    let path: String
    /// The API in whose format errors are written.
    var dialect = Dialect.openAI
    /// Whether no key is needed.
    var isPublic = false
    /// Its summary, for the OpenAPI document.
    let about: String
    /// The fields of its body, for the OpenAPI document.
    var fields: [any DescribedField] = []
    /// The content type of its body, likewise.
    var bodyType = "application/json"
    /// The content types of its replies if they are not streams, likewise.
    var replyTypes = ["application/json"]
    /// The handler.
    var answer: Answer

    /// The rest of a path after the route's own; `nil` if the route does not match.
    func rest(of other: String) -> String? {
        guard path.hasSuffix("*") else { return other == path ? "" : nil }
        let own = path.dropLast()
        return other.hasPrefix(own) && other.count > own.count ? String(other.dropFirst(own.count)) : nil
    }
}

/// All routes.
struct RouteTable: Sendable {
    let routes: [Route]

    /// The result of routing a request.
    enum Match: Sendable {
        case route(Route, rest: String)
        /// The path exists for other methods.
        case wrongMethod([HTTPRequest.Method], Route.Dialect)
        case none
    }

    /// The route of a request.
    func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
        let found = routes.compactMap { route in route.rest(of: path).map { (route, $0) } }
        // The page and documents are also requested by HEAD.
        let wanted: [HTTPRequest.Method] = method == .head ? [.head, .get] : [method]
        if let (route, rest) = found.first(where: { wanted.contains($0.0.method) }) { return .route(route, rest: rest) }
        guard let dialect = found.first?.0.dialect else { return .none }
        return .wrongMethod(found.flatMap { $0.0.method == .get ? [.get, .head] : [$0.0.method] }, dialect)
    }
}
