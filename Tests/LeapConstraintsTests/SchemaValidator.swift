import Foundation
import LeapJSON
import OrderedCollections

/// A validator written from the specification, independent of the code under test: it checks values, not bytes, and
/// supports the keywords that the random schemas use. Source: JSON Schema 2020-12, Validation and Core.
struct SchemaValidator {
    let root: JSONValue

    func isValid(_ value: JSONValue, _ schema: JSONValue? = nil) -> Bool {
        let schema = schema ?? root
        if case .bool(let flag) = schema { return flag }
        guard let keywords = schema.object else { return false }
        return keywords.allSatisfy { holds($0.key, $0.value, keywords, value) }
    }

    private func holds(
        _ keyword: String, _ argument: JSONValue, _ schema: OrderedDictionary<String, JSONValue>, _ value: JSONValue
    ) -> Bool {
        switch keyword {
        case "type": isOfType(argument, value)
        case "enum": argument.array?.contains { equal($0, value) } ?? false
        case "const": equal(argument, value)
        case "anyOf": argument.array?.contains { isValid(value, $0) } ?? false
        case "oneOf": argument.array?.count { isValid(value, $0) } == 1
        case "allOf": argument.array?.allSatisfy { isValid(value, $0) } ?? false
        case "not": !isValid(value, argument)
        case "$ref": argument.string.map { isValid(value, definition($0)) } ?? false
        default:
            numberHolds(keyword, argument, value) && textHolds(keyword, argument, value)
                && listHolds(keyword, argument, schema, value) && objectHolds(keyword, argument, schema, value)
        }
    }

    private func definition(_ reference: String) -> JSONValue {
        reference == "#" ? root : root["$defs"]?[String(reference.dropFirst("#/$defs/".count))] ?? false
    }

    private func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .largeInteger(let digits): Double(digits)
        case .number(let number): number
        default: nil
        }
    }

    private func equal(_ a: JSONValue, _ b: JSONValue) -> Bool {
        if let a = number(a), let b = number(b) { return a == b }
        if let a = a.array, let b = b.array { return a.count == b.count && zip(a, b).allSatisfy(equal) }
        if let a = a.object, let b = b.object {
            return a.count == b.count && a.allSatisfy { key, value in b[key].map { equal(value, $0) } ?? false }
        }
        return a == b
    }

    private func isOfType(_ argument: JSONValue, _ value: JSONValue) -> Bool {
        (argument.array ?? [argument]).contains { name in
            switch name.string {
            case "null": value == .null
            case "boolean": value == true || value == false
            case "integer": number(value).map { $0 == $0.rounded() } ?? false
            case "number": number(value) != nil
            case "string": value.string != nil
            case "array": value.array != nil
            case "object": value.object != nil
            default: false
            }
        }
    }

    private func numberHolds(_ keyword: String, _ argument: JSONValue, _ value: JSONValue) -> Bool {
        guard let number = number(value), let bound = self.number(argument) else { return true }
        return switch keyword {
        case "minimum": number >= bound
        case "maximum": number <= bound
        case "exclusiveMinimum": number > bound
        case "exclusiveMaximum": number < bound
        case "multipleOf": number.truncatingRemainder(dividingBy: bound) == 0
        default: true
        }
    }

    private func textHolds(_ keyword: String, _ argument: JSONValue, _ value: JSONValue) -> Bool {
        guard let text = value.string else { return true }
        return switch keyword {
        case "minLength": text.unicodeScalars.count >= Int(number(argument) ?? 0)
        case "maxLength": text.unicodeScalars.count <= Int(number(argument) ?? 0)
        case "pattern":
            text.range(of: argument.string ?? "(", options: .regularExpression) != nil
        default: true
        }
    }

    private func listHolds(
        _ keyword: String, _ argument: JSONValue, _ schema: OrderedDictionary<String, JSONValue>, _ value: JSONValue
    ) -> Bool {
        guard let elements = value.array else { return true }
        let prefix = schema["prefixItems"]?.array ?? []
        return switch keyword {
        case "minItems": elements.count >= Int(number(argument) ?? 0)
        case "maxItems": elements.count <= Int(number(argument) ?? 0)
        case "prefixItems": zip(elements, prefix).allSatisfy { isValid($0, $1) }
        case "items": elements.dropFirst(prefix.count).allSatisfy { isValid($0, argument) }
        case "uniqueItems": Set(elements).count == elements.count
        default: true
        }
    }

    private func objectHolds(
        _ keyword: String, _ argument: JSONValue, _ schema: OrderedDictionary<String, JSONValue>, _ value: JSONValue
    ) -> Bool {
        guard let members = value.object else { return true }
        func matches(_ key: String) -> [JSONValue] {
            (schema["patternProperties"]?.object ?? [:]).filter { pattern, _ in
                key.range(of: pattern, options: .regularExpression) != nil
            }.map(\.value)
        }
        return switch keyword {
        case "required": argument.array?.allSatisfy { members[$0.string ?? ""] != nil } ?? false
        case "properties":
            argument.object?.allSatisfy { key, schema in members[key].map { isValid($0, schema) } ?? true } ?? false
        case "patternProperties": members.allSatisfy { key, value in matches(key).allSatisfy { isValid(value, $0) } }
        case "additionalProperties":
            members.allSatisfy { key, value in
                schema["properties"]?[key] != nil || !matches(key).isEmpty || isValid(value, argument)
            }
        case "propertyNames": members.keys.allSatisfy { isValid(.string($0), argument) }
        case "minProperties": members.count >= Int(number(argument) ?? 0)
        case "maxProperties": members.count <= Int(number(argument) ?? 0)
        default: true
        }
    }
}
