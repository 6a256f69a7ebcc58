import LeapJSON
import OrderedCollections

/// A JSON object in the making, whose keys without a value are left out.
struct JSONObject {
    private var members: OrderedDictionary<String, JSONValue>

    init(_ members: OrderedDictionary<String, JSONValue> = [:]) {
        self.members = members
    }

    /// The object.
    var value: JSONValue { .object(members) }

    /// The object with a member more, or as it is where there is no value.
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
