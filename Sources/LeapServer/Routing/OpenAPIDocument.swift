import HTTPTypes
import LeapEngine
import LeapJSON
import OrderedCollections

/// The description of all routes for programs (OpenAPI 3.1), made of the tables that requests are read by.
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

    /// What may come back: schemas of replies are the dialects' own, and documented where those are.
    private static func responses(_ route: Route) -> JSONValue {
        var responses: OrderedDictionary<String, JSONValue> = ["200": ["description": "The answer"]]
        if !route.isPublic {
            responses["401"] = ["description": "A key is needed"]
            responses["403"] = ["description": "The page or the name of the server is not permitted"]
        }
        guard !route.fields.isEmpty else { return .object(responses) }
        for (status, about) in [
            ("400", "A field is not what it should be"), ("404", "There is no such model"),
            ("413", "The body is too large"),
            ("415", "The body is not of this type"), ("429", "You have too many answers under way"),
            ("501", "Another kind of model could do this"), ("503", "There is no room now"),
        ] {
            responses[status] = ["description": .string(about)]
        }
        return .object(responses)
    }
}
