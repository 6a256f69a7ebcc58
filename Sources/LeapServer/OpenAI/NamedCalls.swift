import LeapChat
import LeapEngine
import LeapJSON

/// The calls of a conversation by their ids, to match the results that follow.
struct NamedCalls {
    private var names: Set<String> = []
    /// Whether a call has no name, so that its result may have any.
    private var hasNameless = false

    /// The name of a call, or of the call that a result answers; `nil` where it has none.
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

    /// Takes a message, and refuses a result of none of the calls before. A conversation of which the beginning was left out may
    /// begin with results.
    ///
    /// - Parameter path: Where a result names its call.
    mutating func take(_ message: Message, path: String) throws(APIError) {
        take(message)
        guard let name = message.callID, !names.isEmpty, !hasNameless, !names.contains(name) else { return }
        throw .invalid(path, "is '\(name.prefix(80))', but no call before has that name: send the call as well")
    }
}
