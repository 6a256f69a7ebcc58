import Foundation
import LeapConstraints
import LeapSDKMacros
import Testing

/// Schemas of the types that need no macro.
@Suite struct ValueSchemaTests {
    private static var schemas: [(any GeneratableValue.Type, String)] {
        [
            (String.self, #"{"type":"string"}"#),
            (Bool.self, #"{"type":"boolean"}"#),
            (Int.self, #"{"type":"integer"}"#),
            (Int64.self, #"{"type":"integer"}"#),
            (Int8.self, #"{"type":"integer","minimum":-128,"maximum":127}"#),
            (Int16.self, #"{"type":"integer","minimum":-32768,"maximum":32767}"#),
            (Int32.self, #"{"type":"integer","minimum":-2147483648,"maximum":2147483647}"#),
            (UInt.self, #"{"type":"integer","minimum":0}"#),
            (UInt8.self, #"{"type":"integer","minimum":0,"maximum":255}"#),
            (UInt16.self, #"{"type":"integer","minimum":0,"maximum":65535}"#),
            (UInt32.self, #"{"type":"integer","minimum":0,"maximum":4294967295}"#),
            (UInt64.self, #"{"type":"integer","minimum":0}"#),
            (Double.self, #"{"type":"number"}"#),
            (CGFloat.self, #"{"type":"number"}"#),
            (Float.self, #"{"type":"number","minimum":-1e+38,"maximum":1e+38}"#),
            (Decimal.self, #"{"type":"number","minimum":-1e+30,"maximum":1e+30}"#),
            (UUID.self, #"{"type":"string","format":"uuid"}"#),
            (URL.self, #"{"type":"string","format":"uri"}"#),
            (Data.self, #"{"type":"string","contentEncoding":"base64"}"#),
            (
                Date.self,
                #"{"type":"string","format":"date-time","pattern":":[0-5][0-9](Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$"}"#
            ),
            ([[Int]].self, #"{"type":"array","items":{"type":"array","items":{"type":"integer"}}}"#),
            (Set<String>.self, #"{"type":"array","items":{"type":"string"}}"#),
            ([String: Bool].self, #"{"type":"object","additionalProperties":{"type":"boolean"}}"#),
            ([Int?].self, #"{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"null"}]}}"#),
        ]
    }

    @Test(arguments: schemas.indices)
    func `the schema of a type without a macro is as documented and can be enforced`(index: Int) throws {
        let (type, schema) = Self.schemas[index]
        #expect(JSONSchemaGenerator.getJSONSchema(for: type) == schema)
        _ = try Constraint(jsonSchema: schema)
    }
}
