#if canImport(CryptoKit)
import CryptoKit
#endif

/// The SHA-256 of bytes that come piece by piece (FIPS 180-4).
///
/// It names files and notices changed ones. On Apple's systems CryptoKit computes it, elsewhere ``SHA256Blocks``.
public struct SHA256: Sendable {
    /// Bytes of a hash.
    public static let byteCount = 32

    #if canImport(CryptoKit)
    private var hash = CryptoKit.SHA256()
    #else
    private var hash = SHA256Blocks()
    #endif

    /// The hash of no bytes yet.
    public init() {}

    /// Adds bytes to the hash.
    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// Adds bytes to the hash.
    public mutating func update(data: some Sequence<UInt8>) {
        let isContiguous: Void? = data.withContiguousStorageIfAvailable {
            update(bufferPointer: UnsafeRawBufferPointer($0))
        }
        if isContiguous == nil { update(data: Array(data)) }
    }

    /// The hash of all bytes so far.
    public func finalize() -> [UInt8] { Array(hash.finalize()) }

    /// The hash of some bytes.
    public static func hash(data: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: data)
        return hash.finalize()
    }
}
