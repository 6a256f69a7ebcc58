import HTTPTypes
import LeapJSON

/// An endpoint: a method, a path and what answers it.
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

        /// The reply to a request that is not honoured.
        func reply(_ error: APIError, id: String) -> Reply {
            switch self {
            case .openAI: .error(error)
            case .anthropic: .json(error.anthropicDocument(id: id), error.status, error.headers)
            case .ollama: .json(["error": .string(error.message)], error.status, error.headers)
            }
        }
    }

    /// What is answered: the rest of the path, where the route's ends in `*`, and the request.
    typealias Answer = @Sendable (_ exchange: Exchange, _ rest: String) async throws -> Reply

    /// The method.
    let method: HTTPRequest.Method
    /// The path; a `*` at its end matches any rest.
    let path: String
    /// The API in whose format errors are written.
    var dialect = Dialect.openAI
    /// Whether no key is needed.
    var isPublic = false
    /// What it does, for the OpenAPI document.
    let about: String
    /// The fields of its body, for the OpenAPI document.
    var fields: [any DescribedField] = []
    /// What its body is, likewise.
    var bodyType = "application/json"
    /// What its replies are where they are no streams, likewise.
    var replyTypes = ["application/json"]
    /// Answers.
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

    /// Where a request goes.
    enum Match: Sendable {
        case route(Route, rest: String)
        /// The address knows other methods.
        case wrongMethod([HTTPRequest.Method], Route.Dialect)
        case none
    }

    /// The route of a request.
    func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
        let found = routes.compactMap { route in route.rest(of: path).map { (route, $0) } }
        // The page and documents are asked for by HEAD too.
        let wanted: [HTTPRequest.Method] = method == .head ? [.head, .get] : [method]
        if let (route, rest) = found.first(where: { wanted.contains($0.0.method) }) { return .route(route, rest: rest) }
        guard let dialect = found.first?.0.dialect else { return .none }
        return .wrongMethod(found.flatMap { $0.0.method == .get ? [.get, .head] : [$0.0.method] }, dialect)
    }
}
