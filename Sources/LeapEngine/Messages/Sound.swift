public import Foundation
import LeapAudio
import LeapDigest
import LeapJSON

/// A sound, as the bytes of its file: WAV.
public struct Sound: Sendable, Hashable {
    /// The file's bytes, not decoded or validated yet.
    public let bytes: Data
    /// Identifies the file.
    let digest: [UInt8]

    /// A sound of a file's bytes.
    public init(_ bytes: Data) {
        self.bytes = bytes
        digest = SHA256.hash(data: bytes)
    }

    private init(digest: [UInt8]) {
        (bytes, self.digest) = (Data(), digest)
    }

    /// The sound's digest without its bytes.
    var withoutBytes: Sound { Sound(digest: digest) }

    /// The identity of the sound, in hexadecimal digits.
    public var name: String { digest.hexadecimal }

    /// A reference to a sound without its bytes, which only the model that made the sound can resolve.
    ///
    /// - Parameter name: Its ``name``; anything else gives `nil`.
    public init?(name: some StringProtocol) {
        let digits = name.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * SHA256.byteCount, !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        self.init(digest: stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }

    /// The sound in base64.
    ///
    /// - Throws: ``EngineError/malformed(field:expected:found:)``.
    public init(base64 text: String, field: String) throws(EngineError) {
        guard let bytes = Base64.bytes(of: text.utf8), !bytes.isEmpty else {
            throw .malformed(
                field: field, expected: "a base64-encoded WAV file",
                found: String(text.prefix(40)) + (text.count > 40 ? "…" : ""))
        }
        self.init(bytes)
    }

    /// The file in base64.
    var base64: String { bytes.base64EncodedString() }

    /// How long it lasts.
    ///
    /// - Throws: ``EngineError/sound(number:_:)`` for data that is not a WAV file.
    public func seconds() throws(EngineError) -> Double {
        do { return try Recording(wav: bytes).seconds } catch { throw .sound(number: 1, error) }
    }

    /// Whether the files are the same.
    public static func == (one: Sound, other: Sound) -> Bool { one.digest == other.digest }

    /// Hashes the identity of the file.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
