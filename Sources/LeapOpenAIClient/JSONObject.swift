import LeapJSON
import OrderedCollections

/// A builder of JSON objects that omits keys without a value.
struct JSONObject {
    private var members: OrderedDictionary<String, JSONValue>

    init(_ members: OrderedDictionary<String, JSONValue> = [:]) {
        self.members = members
    }

    /// The object.
    var value: JSONValue { .object(members) }

    /// Returns the object with an additional member, or unchanged if the value is `nil`.
    func setting(_ key: String, _ value: JSONValue?) -> JSONObject {
        guard let value else { return self }
        var copy = self
        copy.members[key] = value
        return copy
    }

    func setting(_ key: String, _ value: String?) -> JSONObject { setting(key, value.map(JSONValue.string)) }

    func setting(_ key: String, _ value: Double?) -> JSONObject { setting(key, value.map(JSONValue.number)) }

    func setting(_ key: String, _ value: Int?) -> JSONObject { setting(key, value.map(JSONValue.integer)) }

    func setting(_ key: String, _ value: Bool?) -> JSONObject { setting(key, value.map(JSONValue.bool)) }

    func setting(_ key: String, _ value: [String]?) -> JSONObject {
        setting(key, value.map { .array($0.map(JSONValue.string)) })
    }
}
