public import Foundation
import LeapJSON

extension LeapFunctionCall {
    /// Decodes the arguments as a value of a type: `try call.decodeArguments(as: WeatherQuery.self)`.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)``, which names the argument that does not fit.
    public func decodeArguments<Arguments: Decodable>(
        as type: Arguments.Type = Arguments.self, decoder: JSONDecoder = JSONDecoder()
    ) throws(LeapError) -> Arguments {
        do {
            return try decoder.decode(type, from: Data(argumentsJSON.text().utf8))
        } catch let error as DecodingError {
            throw .serializationFailure("the arguments of function call '\(name)': \(error.words)", error)
        } catch {
            throw .serializationFailure("the arguments of function call '\(name)' cannot be decoded: \(error)", error)
        }
    }
}

extension DecodingError {
    /// A description of the error, with the path of the value.
    fileprivate var words: String {
        switch self {
        case .keyNotFound(let key, let context): "'\(Self.path(context.codingPath + [key]))' is missing"
        case .typeMismatch(let type, let context):
            "'\(Self.path(context.codingPath))' is not of type \(type). \(context.debugDescription)"
        case .valueNotFound(let type, let context):
            "'\(Self.path(context.codingPath))' is null, but must be of type \(type)"
        case .dataCorrupted(let context):
            "'\(Self.path(context.codingPath))' cannot be used. \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
}
