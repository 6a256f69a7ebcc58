/// Tells a model the schema that its answer will have, so that it writes what is meant and not merely what is permitted.
enum SchemaPrompt {
    private static let introduction = "Answer with JSON that satisfies this JSON Schema:\n"

    /// The messages with the schema at the end of the system message, which is added if there is none. If any message
    /// contains the schema already, they stay as they are.
    static func inject(_ schema: String, into messages: [Message]) -> [Message] {
        guard !messages.contains(where: { $0.text.contains(schema) }) else { return messages }
        guard let index = messages.firstIndex(where: { $0.role == .system }) else {
            return [Message(.system, introduction + schema)] + messages
        }
        var messages = messages
        messages[index].text += "\n\n" + introduction + schema
        return messages
    }
}
