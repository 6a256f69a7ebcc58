public import Foundation

extension JSONDecoder {
    /// A decoder for generated values: dates are decoded as ISO 8601, everything else with the default strategies.
    public static var generatable: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
