/// Splits a stream of generated text into the answer and the reasoning before it.
///
/// However the stream is cut into pieces, the concatenated text and reasoning are the same, and nothing that was
/// returned is ever taken back: only what may be the beginning of a mark is held until the next piece.
public struct ReasoningSplitter: Sendable {
    /// A part of the stream.
    public enum Piece: Sendable, Hashable {
        /// Text of the answer.
        case text(String)
        /// Text between the marks.
        case reasoning(String)
    }

    private let opening: [UInt8]
    private let closing: [UInt8]
    private var isInReasoning: Bool
    /// The end of the stream so far, which may be the beginning of a mark.
    private var held: [UInt8] = []

    /// Creates a splitter.
    /// - Parameters:
    ///   - opening: What begins reasoning.
    ///   - closing: What ends it.
    ///   - startsInReasoning: Whether the prompt has already written the opening mark.
    public init(opening: String = "<think>", closing: String = "</think>", startsInReasoning: Bool = false) {
        self.opening = Array(opening.utf8)
        self.closing = Array(closing.utf8)
        isInReasoning = startsInReasoning
    }

    /// Takes the next piece of the stream and returns what is certain now.
    public mutating func append(_ text: String) -> [Piece] {
        held += text.utf8
        var pieces: [Piece] = []
        while let range = firstMark() {
            emit(range.lowerBound, into: &pieces)
            held.removeFirst(range.count)
            isInReasoning.toggle()
        }
        emit(held.count - lengthOfPossibleMark(), into: &pieces)
        return pieces
    }

    /// Ends the stream and returns what was held back.
    public mutating func finish() -> [Piece] {
        var pieces: [Piece] = []
        emit(held.count, into: &pieces)
        return pieces
    }

    /// The mark that would end the current part.
    private var mark: [UInt8] { isInReasoning ? closing : opening }

    private func firstMark() -> Range<Int>? {
        guard !mark.isEmpty, let start = ByteSearch(mark).first(in: held) else { return nil }
        return start..<start + mark.count
    }

    /// The length of the longest beginning of the mark that the held text ends with.
    private func lengthOfPossibleMark() -> Int {
        (0..<mark.count).reversed().first { held.suffix($0).elementsEqual(mark.prefix($0)) } ?? 0
    }

    /// Moves the first `count` held bytes to `pieces`.
    private mutating func emit(_ count: Int, into pieces: inout [Piece]) {
        guard count > 0 else { return }
        let text = String(decoding: held.prefix(count), as: UTF8.self)
        held.removeFirst(count)
        pieces.append(isInReasoning ? .reasoning(text) : .text(text))
    }
}
