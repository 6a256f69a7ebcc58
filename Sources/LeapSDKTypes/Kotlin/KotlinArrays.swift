public import Foundation

// Versions 0.10 of the API came from Kotlin and had its arrays. Here they are Swift's.

/// A Kotlin array of bytes.
public typealias KotlinByteArray = Data
/// A Kotlin array of floats.
public typealias KotlinFloatArray = [Float]

extension [Float] {
    /// The array itself.
    public func toFloatArray() -> [Float] { self }
}

extension Data {
    /// The data itself.
    public func toData() -> Data { self }
}

/// Floats as bytes and back: 4 bytes each, in the machine's order.
public enum ArrayConversionsKt {
    /// The bytes of an array.
    public static func floatArrayToNSData(array: KotlinFloatArray) -> Data {
        array.withUnsafeBytes { Data($0) }
    }

    /// The floats of bytes; what does not fill the last one is left out.
    public static func nsDataToFloatArray(data: Data) -> KotlinFloatArray {
        let width = MemoryLayout<Float>.size
        return stride(from: 0, through: data.count - width, by: width).map { offset in
            data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Float.self) }
        }
    }
}
