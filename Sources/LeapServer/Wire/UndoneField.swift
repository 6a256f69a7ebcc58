import LeapJSON
import OrderedCollections

/// A field that other servers support and this one does not. It is refused if its value would change the answer, and
/// ignored if the value is neutral, because many clients send all fields with their default values.
struct UndoneField: Sendable {
    /// Its key.
    let name: String
    /// The error message after the field's name.
    let reason: String
    /// Whether a value asks for nothing.
    fileprivate let isIdle: @Sendable (JSONValue) -> Bool

    /// A field of which some values ask for nothing.
    init(_ name: String, idle values: [JSONValue] = [], _ reason: String) {
        self.name = name
        self.reason = reason
        isIdle = { value in values.contains { $0 == value || ($0.double != nil && $0.double == value.double) } }
    }

    /// A field of which all numbers up to one ask for nothing.
    init(_ name: String, idleUpTo limit: Double, _ reason: String) {
        self.name = name
        self.reason = reason
        isIdle = { value in value.double.map { $0 <= limit } ?? false }
    }
}

extension UndoneField {
    /// What a format that is a field of another dialect asks for nothing by.
    static let idleFormats: [JSONValue] = [["type": "text"], [:]]
}

extension FieldReader {
    /// Refuses fields by name that ask for what is not done.
    func refuse(_ fields: [UndoneField]) throws(APIError) {
        for field in fields {
            guard let value = members[field.name], value != .null, !field.isIdle(value) else { continue }
            throw .invalid(path + field.name, field.reason)
        }
    }
}
