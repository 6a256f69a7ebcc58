import LeapJSON

/// What a chat template sees.
enum Conversation {
    /// The variables of a conversation, and some more.
    static func variables(messages: [JSONValue] = [], _ others: [String: JSONValue] = [:]) -> [String: JSONValue] {
        let variables: [String: JSONValue] = [
            "messages": .array(messages), "tools": nil, "documents": nil, "add_generation_prompt": true,
            "bos_token": "", "eos_token": "",
        ]
        return variables.merging(others) { _, other in other }
    }
}
