public import LeapJSON
import OrderedCollections

/// What the answer must be written in.
public enum ChatCompletionResponseFormat: Sendable, Hashable {
    /// Text.
    case text
    /// Some JSON object. OpenAI wants the word JSON in a message, too.
    case jsonObject
    /// JSON that satisfies a schema. The name is letters, digits, underscores and hyphens.
    case jsonSchema(name: String, schema: JSONValue, strict: Bool? = true)

    /// The format as OpenAI's API takes it.
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
