import LeapJSON
import OrderedCollections

/// A field that other servers support and this one does not. It is refused if its value would change the answer, and
/// ignored if the value is neutral, because many clients send all fields with their default values.
struct UnsupportedField: Sendable {
    /// Its key.
    let name: String
    /// The error message after the field's name.
    let reason: String
    /// Whether a value is neutral.
    fileprivate let isIdle: @Sendable (JSONValue) -> Bool

    /// A field with some neutral values.
    init(_ name: String, idle values: [JSONValue] = [], _ reason: String) {
        self.name = name
        self.reason = reason
        isIdle = { value in values.contains { $0 == value || ($0.double != nil && $0.double == value.double) } }
    }

    /// A field for which all numbers up to a limit are neutral.
    init(_ name: String, idleUpTo limit: Double, _ reason: String) {
        self.name = name
        self.reason = reason
        isIdle = { value in value.double.map { $0 <= limit } ?? false }
    }
}

extension FieldReader {
    /// Rejects unsupported fields unless their values are neutral.
    func refuse(_ fields: [UnsupportedField]) throws(APIError) {
        for field in fields {
            guard let value = members[field.name], value != .null, !field.isIdle(value) else { continue }
            throw .invalid(path + field.name, field.reason)
        }
    }
}
