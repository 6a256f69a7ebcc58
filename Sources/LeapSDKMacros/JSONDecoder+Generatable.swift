public import Foundation

extension JSONDecoder {
    /// A decoder of what is generated: dates are read as ISO 8601, everything else as every decoder reads it.
    public static var generatable: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
