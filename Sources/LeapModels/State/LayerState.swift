/// The state of one layer in one sequence: keys and values, the last inputs of a convolution, or the memory of a recurrent
/// layer.
///
/// A class, so that a pass can find it by address and change it in place without reference counting; see
/// ``ForwardPass/state(of:in:as:)``. It belongs to one ``SequenceState``, which calls the methods below between passes.
/// During a pass, the layer itself uses it by its concrete type.
protocol LayerState: AnyObject {
    /// Makes room for the next positions; `false` if memory cannot be allocated.
    func reserve(_ positions: Range<Int>) -> Bool

    /// Undoes the changes of an unfinished pass, if it reached this layer.
    func abandon(pass: Int)

    /// Resets the state.
    func reset()

    /// An independent copy that continues from here.
    func fork() -> any LayerState

    // MARK: Drafted tokens

    /// Whether ``rollBack(_:)`` needs a trail, see ``keepTrail(rows:)``.
    var needsTrail: Bool { get }

    /// Records the inputs of passes with up to `rows` rows from now on, so that ``rollBack(_:)`` can undo them; 0 records
    /// nothing.
    func keepTrail(rows: Int)

    /// Rolls back the last rows of the last pass.
    func rollBack(_ count: Int)

    /// Saves the state for ``returnToMark()``.
    func mark()

    /// Restores the state of the last ``mark()``.
    func returnToMark()

    // MARK: Segments

    /// The state of the positions of a segment that the last pass completed, or at whose end it stopped.
    ///
    /// - Parameter keepsEnd: Whether to include what a sequence needs to resume after the segment, if that takes extra
    ///   memory. Possible for the last segment that a pass completed, and for the one at whose end it stopped.
    func segment(of positions: Range<Int>, keepsEnd: Bool) -> any LayerSegment

    /// Appends a segment of this layer. The state must hold complete segments only, and the segment must follow the
    /// last one.
    func append(_ segment: any LayerSegment)

    /// Bytes of a segment.
    var segmentByteCount: Int { get }

    /// Bytes of ``segmentByteCount`` that only a segment with an end has, see ``LayerSegment/hasEnd``.
    var endByteCount: Int { get }

    /// The segment that ``segmentByteCount`` bytes describe, or as many less ``endByteCount``; `nil` if memory runs out.
    func makeSegment(copying bytes: UnsafeRawBufferPointer) -> (any LayerSegment)?
}

/// The state of one layer for a segment's tokens. Immutable.
protocol LayerSegment: Sendable {
    /// Bytes of memory that the segment keeps alive, and of what ``forEachPiece(_:)`` gives.
    var byteCount: Int { get }

    /// Calls `body` with the bytes, piece by piece, as they are in memory: all supported platforms are little-endian.
    func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void)

    /// Whether a sequence can resume after the segment.
    var hasEnd: Bool { get }

    /// The segment without what is needed only to resume after it.
    func withoutEnd() -> any LayerSegment
}

// For most layers, the state of the tokens themselves is enough to resume after them.

extension LayerState {
    var endByteCount: Int { 0 }
}

extension LayerSegment {
    var hasEnd: Bool { true }
    func withoutEnd() -> any LayerSegment { self }
}
