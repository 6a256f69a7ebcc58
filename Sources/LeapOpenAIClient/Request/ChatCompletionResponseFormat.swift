public import LeapJSON
import OrderedCollections

/// The format of an answer.
public enum ChatCompletionResponseFormat: Sendable, Hashable {
    /// Plain text.
    case text
    /// Any JSON object. OpenAI also requires the word JSON in a message.
    case jsonObject
    /// JSON that satisfies a schema. The name may contain letters, digits, underscores and hyphens.
    case jsonSchema(name: String, schema: JSONValue, strict: Bool? = true)

    /// The format as represented in OpenAI's API.
    public var json: JSONValue {
        switch self {
        case .text: ["type": "text"]
        case .jsonObject: ["type": "json_object"]
        case .jsonSchema(let name, let schema, let strict):
            [
                "type": "json_schema",
                "json_schema": JSONObject(["name": .string(name), "schema": schema]).setting("strict", strict).value,
            ]
        }
    }
}
