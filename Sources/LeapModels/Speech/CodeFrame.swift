/// A frame of audio as codes: one of each book.
///
/// A value that allocates no memory, so that frames cost no allocations.
public struct CodeFrame: Sendable, Hashable {
    private var codes: SIMD8<Int32>

    /// The end of audio: all codes are ``VocoderConfiguration/endCode``.
    public static let end = CodeFrame(unchecked: SIMD8(repeating: VocoderConfiguration.endCode))

    /// - Parameter codes: One of each book, from 0 to ``VocoderConfiguration/endCode``.
    /// - Throws: ``ModelError/wrongCodes(_:limit:)``.
    public init(_ codes: [Int32]) throws(ModelError) {
        guard codes.count == VocoderConfiguration.books,
            codes.allSatisfy({ (0...VocoderConfiguration.endCode).contains($0) })
        else { throw .wrongCodes(codes, limit: VocoderConfiguration.codes) }
        self.codes = SIMD8(codes)
    }

    init(unchecked codes: SIMD8<Int32>) { self.codes = codes }

    /// The code of a book.
    public subscript(book: Int) -> Int32 { codes[book] }

    /// The codes of all books.
    public var values: [Int32] { codes.indices.map { codes[$0] } }

    /// Whether it ends the audio.
    public var isEnd: Bool { codes[0] == VocoderConfiguration.endCode }

    /// Whether it stands for audio: a frame with any end code does not.
    public var sounds: Bool { codes.max() < VocoderConfiguration.endCode }
}
