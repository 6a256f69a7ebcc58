public import Foundation

// Versions 0.10 of the API came from Kotlin and had its arrays. Here they are Swift's.

/// A Kotlin array of bytes.
public typealias KotlinByteArray = Data
/// A Kotlin array of floats.
public typealias KotlinFloatArray = [Float]

extension [Float] {
    /// Returns the array itself.
    public func toFloatArray() -> [Float] { self }
}

extension Data {
    /// Returns the data itself.
    public func toData() -> Data { self }
}

/// Converts between floats and bytes: 4 bytes per float, in native byte order.
public enum ArrayConversionsKt {
    /// Returns the bytes of an array of floats.
    public static func floatArrayToNSData(array: KotlinFloatArray) -> Data {
        array.withUnsafeBytes { Data($0) }
    }

    /// Returns the floats that the bytes represent; an incomplete one at the end is dropped.
    public static func nsDataToFloatArray(data: Data) -> KotlinFloatArray {
        let width = MemoryLayout<Float>.size
        return stride(from: 0, through: data.count - width, by: width).map { offset in
            data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Float.self) }
        }
    }
}
