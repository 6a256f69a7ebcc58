import LeapJSON

/// The variables of a chat template.
enum Conversation {
    /// The variables of a conversation, with additional ones.
    static func variables(messages: [JSONValue] = [], _ others: [String: JSONValue] = [:]) -> [String: JSONValue] {
        let variables: [String: JSONValue] = [
            "messages": .array(messages), "tools": nil, "documents": nil, "add_generation_prompt": true,
            "bos_token": "", "eos_token": "",
        ]
        return variables.merging(others) { _, other in other }
    }
}
