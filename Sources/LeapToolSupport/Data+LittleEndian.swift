package import Foundation

extension Data {
    /// The bytes of floats in little-endian order.
    package init(littleEndian floats: some Sequence<Float>) {
        let words = floats.map(\.bitPattern.littleEndian)
        self = words.withUnsafeBytes { Data($0) }
    }
}
