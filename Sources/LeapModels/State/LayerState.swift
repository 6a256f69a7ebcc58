/// What one layer remembers of one sequence: keys and values, the last inputs of a convolution, or what another kind of
/// layer needs.
///
/// A class, so that a pass finds it by an address and changes it in place, without counting references; see
/// ``ForwardPass/state(of:in:as:)``. It belongs to one ``SequenceState``, which calls it between passes; within a pass the
/// layer's part does, which knows its type.
protocol LayerState: AnyObject {
    /// Makes room for the next positions; `false` where there is no memory.
    func reserve(_ positions: Range<Int>) -> Bool

    /// Takes back what a pass did that did not come to its end, if it came to this layer.
    func abandon(pass: Int)

    /// Forgets everything.
    func reset()

    /// A second state that continues from here by itself.
    func fork() -> any LayerState

    // MARK: Guesses

    /// Whether rows can be taken back only if they were noted.
    var needsTrail: Bool { get }

    /// Notes what passes of up to so many rows read, so that ``rollBack(_:)`` can take them back; 0 for none.
    func keepTrail(rows: Int)

    /// Forgets the last rows of the last pass.
    func rollBack(_ count: Int)

    /// Notes what is remembered, for ``returnToMark()``.
    func mark()

    /// Remembers again what was noted last.
    func returnToMark()

    // MARK: Segments

    /// What is remembered of the positions of a segment that the last pass finished, or at the end of which it stopped.
    ///
    /// - Parameter keepsEnd: Whether somebody will go on behind the segment, where that takes memory of its own. Possible for
    ///   the last segment that a pass finished, and for the one at the end of which it stopped.
    func segment(of positions: Range<Int>, keepsEnd: Bool) -> any LayerSegment

    /// Continues behind a segment that a state of this layer left, and that follows what is held, which are whole segments.
    func append(_ segment: any LayerSegment)

    /// Bytes of a segment.
    var segmentByteCount: Int { get }

    /// Those of them that a segment lacks behind which nobody can go on.
    var endByteCount: Int { get }

    /// The segment that ``segmentByteCount`` bytes describe, or as many less ``endByteCount``; `nil` where there is no memory.
    func makeSegment(copying bytes: UnsafeRawBufferPointer) -> (any LayerSegment)?
}

/// What one layer remembers of a segment's tokens. A value that never changes.
protocol LayerSegment: Sendable {
    /// Bytes of memory that the segment keeps alive, and of what ``forEachPiece(_:)`` gives.
    var byteCount: Int { get }

    /// Calls `body` with the bytes, piece by piece, as they lie in memory. All platforms of ours are little-endian.
    func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void)

    /// Whether a state can go on behind the segment.
    var hasEnd: Bool { get }

    /// The segment without what only that needs.
    func withoutEnd() -> any LayerSegment
}

// What most layers remember of tokens is all that a state needs to go on behind them.

extension LayerState {
    var endByteCount: Int { 0 }
}

extension LayerSegment {
    var hasEnd: Bool { true }
    func withoutEnd() -> any LayerSegment { self }
}
