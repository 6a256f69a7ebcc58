import HTTPTypes
import LeapEngine
import LeapJSON
import OrderedCollections

/// The OpenAPI 3.1 description of all routes, generated from the tables by which requests are parsed.
enum OpenAPIDocument {
    /// The document.
    static func make(_ routes: [Route]) -> JSONValue {
        var paths: OrderedDictionary<String, OrderedDictionary<String, JSONValue>> = [:]
        for route in routes {
            paths[path(route), default: [:]][route.method.rawValue.lowercased()] = operation(route)
        }
        return [
            "openapi": "3.1.0", "info": ["title": "leap serve", "version": .string(Engine.version)],
            "components": ["securitySchemes": ["key": ["type": "http", "scheme": "bearer"]]],
            "paths": .object(OrderedDictionary(uniqueKeysWithValues: paths.map { ($0.key, .object($0.value)) })),
        ]
    }

    private static func path(_ route: Route) -> String {
        route.path.hasSuffix("*") ? route.path.dropLast() + "{id}" : route.path
    }

    private static func operation(_ route: Route) -> JSONValue {
        var operation: OrderedDictionary<String, JSONValue> = ["summary": .string(route.about)]
        if !route.isPublic { operation["security"] = [["key": []], [:]] }
        if route.path.hasSuffix("*") {
            operation["parameters"] = [["name": "id", "in": "path", "required": true, "schema": ["type": "string"]]]
        }
        if !route.fields.isEmpty {
            operation["requestBody"] = [
                "required": true, "content": .object([route.bodyType: ["schema": schema(route.fields)]]),
            ]
        }
        operation["responses"] = responses(route)
        return .object(operation)
    }

    private static func schema(_ fields: [any DescribedField]) -> JSONValue {
        let properties = OrderedDictionary(fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
        return ["type": "object", "properties": .object(properties)]
    }

    /// The possible responses. The schemas of replies are those of the respective APIs, and documented there.
    private static func responses(_ route: Route) -> JSONValue {
        var responses: OrderedDictionary<String, JSONValue> = [
            "200": ["description": "The reply", "content": content(replyTypes(route), [:])]
        ]
        for (status, about) in statuses(route) {
            responses[status] = [
                "description": .string(about), "content": content(["application/json"], route.dialect.errorSchema),
            ]
        }
        return .object(responses)
    }

    private static func replyTypes(_ route: Route) -> [String] {
        guard route.fields.contains(where: { $0.name == GenerationFields.stream.name }) else { return route.replyTypes }
        return route.replyTypes + [route.dialect == .ollama ? "application/x-ndjson" : ServerSentEvents.type]
    }

    private static func content(_ types: [String], _ schema: JSONValue) -> JSONValue {
        .object(OrderedDictionary(types.map { ($0, ["schema": schema]) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The error statuses.
    private static func statuses(_ route: Route) -> [(String, String)] {
        let busy = ("503", "The server is overloaded or shutting down")
        guard !route.isPublic else { return [busy] }
        let all = [
            ("400", "A field is invalid"), ("401", "An API key is required"),
            ("403", "The origin or host is not allowed"), ("404", "The model or endpoint does not exist"),
            ("501", "The operation is not supported, or not by this kind of model"), busy,
        ]
        guard !route.fields.isEmpty else { return all }
        return all + [
            ("413", "The body is too large"), ("415", "The content type of the body is not supported"),
            ("429", "The client has too many answers in progress or queued"),
        ]
    }
}

extension Route.Dialect {
    /// The JSON Schema of errors.
    fileprivate var errorSchema: JSONValue {
        let text: JSONValue = ["type": "string"]
        switch self {
        case .openAI:
            return Self.object([
                "error": Self.object([
                    "message": text, "type": text, "param": ["type": ["string", "null"]],
                    "code": ["type": ["string", "null"]],
                ])
            ])
        case .anthropic:
            return Self.object([
                "type": ["const": "error"], "error": Self.object(["type": text, "message": text]), "request_id": text,
            ])
        case .ollama: return Self.object(["error": text])
        }
    }

    private static func object(_ members: OrderedDictionary<String, JSONValue>) -> JSONValue {
        [
            "type": "object", "properties": .object(members),
            "required": .array(members.keys.map { .string($0) }),
        ]
    }
}
