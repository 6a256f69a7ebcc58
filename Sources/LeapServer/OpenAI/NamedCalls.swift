import LeapChat
import LeapEngine
import LeapJSON

/// The tool calls of a conversation by their IDs, to match the results that follow.
struct NamedCalls {
    private var names: Set<String> = []
    /// Whether a call has no ID, so that its result may have any.
    private var hasNameless = false

    /// The ID of a call, or of the call that a result answers; `nil` if absent.
    static func name(_ json: JSONValue?, path: String) throws(APIError) -> String? {
        guard let json, json != .null else { return nil }
        guard let name = json.string else { throw .expected("a string", at: path, found: json) }
        return name.isEmpty ? nil : name
    }

    /// Takes the calls of a message.
    mutating func take(_ message: Message) {
        for call in message.calls {
            if let name = call.id { names.insert(name) } else { hasNameless = true }
        }
    }

    /// Takes a message, and rejects a result that matches no earlier call. A conversation whose beginning was dropped
    /// may begin with results.
    ///
    /// - Parameter path: The path of the result's call ID.
    mutating func take(_ message: Message, path: String) throws(APIError) {
        take(message)
        guard let name = message.callID, !names.isEmpty, !hasNameless, !names.contains(name) else { return }
        throw .invalid(
            path, "is '\(name.prefix(80))', but no earlier tool call has this ID: include the call in the messages")
    }
}
