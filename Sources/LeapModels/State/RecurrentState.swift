import LeapOps

/// The state of one recurrent layer, with a matrix per head, in one sequence.
///
/// Two memories alternate: a pass reads one and writes the other. So it can be abandoned without a copy, and its last rows
/// can be rolled back by recomputing those before them.
final class RecurrentState: LayerState {
    private let shape: RecurrentShape

    /// The memory after the last pass, unless ``rowsToRepeat`` is set; `nil` before memory is allocated.
    private var current: RecurrentMemory?
    /// The memory before the last pass.
    private var before: RecurrentMemory?

    /// The last pass, the position at which it began, and the one to which it came.
    private var (pass, start, end) = (0, 0, 0)

    /// The memory at the last segment end within that pass.
    private var checkpoint: (position: Int, memory: RecurrentMemory)?

    /// Rows of a pass that is to be reversible.
    private var reversibleRows = 0
    /// The rows of that pass, if it is.
    private var trail: RecurrentTrail?
    /// This state as it was at the mark.
    private var marked: RecurrentState?
    /// Whether an allocation failed, so that the state is lost.
    private var isLost = false
    /// After a rollback: how many rows of ``trail`` remain. They must still be applied to ``before``.
    private var rowsToRepeat: Int?

    init(_ shape: RecurrentShape) { self.shape = shape }

    /// Applies rows to a memory.
    typealias Step = (
        _ inputs: RecurrentInputs, _ rows: Range<Int>?, _ source: RecurrentMemory, _ target: RecurrentMemory
    ) -> Void

    /// Reads rows that follow each other in the sequence.
    ///
    /// - Parameters:
    ///   - inputs: Those of the whole pass.
    ///   - rows: The rows of the sequence.
    ///   - position: That of the first of them.
    ///   - number: The sequence's number of the pass.
    ///   - step: Applies rows to one memory and writes the result to another. Repeated rows are not part of the pass.
    func read(_ inputs: RecurrentInputs, _ rows: Range<Int>, at position: Int, pass number: Int, _ step: Step) {
        if number != pass { begin(number, at: position, step) }
        guard let current, let before else { return }
        let isFirst = end == start
        trail?.record(inputs[rows], isFirst: isFirst)
        end = position + rows.count
        var (next, source) = (rows.lowerBound, isFirst ? before : current)
        let border = end / StateSegment.length * StateSegment.length
        if border > position, border < end {
            next += border - position
            step(inputs, rows.lowerBound..<next, source, current)
            checkpoint = current.copy().map { (border, $0) }
            source = current
        }
        step(inputs, next..<rows.upperBound, source, current)
    }

    /// Makes the current memory the start of a new pass, repeating rows if a rollback left any. Done here and not when
    /// the pass begins, while the memory is in the CPU's cache for the pass itself.
    private func begin(_ number: Int, at position: Int, _ step: Step) {
        if let rowsToRepeat, let trail, let before, let current {
            step(trail.inputs(rowsToRepeat), nil, before, current)
        }
        swap(&current, &before)
        (pass, start, end) = (number, position, position)
        (checkpoint, rowsToRepeat) = (nil, nil)
        prepareTrail()
    }

    func reserve(_ positions: Range<Int>) -> Bool {
        if current == nil { current = RecurrentMemory(shape) }
        if before == nil { before = RecurrentMemory(shape) }
        return current != nil && before != nil && !isLost
    }

    func abandon(pass number: Int) {
        guard number == pass else { return }
        swap(&current, &before)
        (end, checkpoint) = (start, nil)
        // A pass that is abandoned twice must be undone only once.
        pass = 0
    }

    func reset() {
        (current, before, checkpoint, rowsToRepeat) = (nil, nil, nil, nil)
        marked = nil
        (start, end, isLost) = (0, 0, false)
    }

    func fork() -> any LayerState { copy() }

    /// A copy without the history: if no rows must be repeated, the current memory alone.
    private func copy() -> RecurrentState {
        let copy = RecurrentState(shape)
        copy.isLost = isLost
        if let rowsToRepeat {
            (copy.rowsToRepeat, copy.trail, copy.reversibleRows) = (rowsToRepeat, trail?.copy(), reversibleRows)
            copy.before = before?.copy()
            if copy.before == nil { copy.isLost = true }
        } else if let current {
            copy.current = current.copy()
            if copy.current == nil { copy.isLost = true }
        }
        return copy
    }

    var needsTrail: Bool { true }

    /// Keeps rows of the trail that must still be repeated.
    func keepTrail(rows: Int) {
        reversibleRows = rows
        if rowsToRepeat == nil { prepareTrail() }
    }

    private func prepareTrail() {
        guard trail?.capacity ?? 0 != reversibleRows else { return }
        trail = reversibleRows > 0 ? RecurrentTrail(shape, rows: reversibleRows) : nil
    }

    func rollBack(_ count: Int) {
        rowsToRepeat = (rowsToRepeat ?? end - start) - count
        checkpoint = nil
    }

    func mark() { marked = copy() }

    func returnToMark() {
        guard let marked else { return }
        if marked.rowsToRepeat == nil {
            // The mark may predate the allocation: then ``reserve(_:)`` allocates again.
            (current, before) = (marked.current, marked.current == nil ? nil : current)
        } else {
            (current, before, trail) = (before, marked.before, marked.trail)
        }
        (rowsToRepeat, isLost) = (marked.rowsToRepeat, marked.isLost)
        (start, end, checkpoint, self.marked) = (0, 0, nil, nil)
    }

    // MARK: Segments

    func segment(of positions: Range<Int>, keepsEnd: Bool) -> any LayerSegment {
        RecurrentSegment(end: keepsEnd ? memory(at: positions.upperBound) : nil)
    }

    /// A copy of what is remembered at a position, if that is known.
    private func memory(at position: Int) -> RecurrentMemory? {
        if let checkpoint, checkpoint.position == position { return checkpoint.memory }
        return rowsToRepeat == nil && position == end ? current?.copy() : nil
    }

    func append(_ segment: any LayerSegment) {
        guard let segment = segment as? RecurrentSegment, let end = segment.end else { return }
        current = end.copy()
        isLost = current == nil
    }

    var segmentByteCount: Int { shape.byteCount }
    var endByteCount: Int { shape.byteCount }

    func makeSegment(copying bytes: UnsafeRawBufferPointer) -> (any LayerSegment)? {
        if bytes.isEmpty { return RecurrentSegment(end: nil) }
        return RecurrentMemory(shape, copying: bytes).map { RecurrentSegment(end: $0) }
    }
}

/// The memory at the end of a segment. A recurrent layer keeps nothing per token.
struct RecurrentSegment: LayerSegment {
    /// `nil` if no sequence can resume after the segment.
    let end: RecurrentMemory?

    var byteCount: Int { end?.shape.byteCount ?? 0 }

    func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) {
        if let end { body(UnsafeRawBufferPointer(end.bytes)) }
    }

    var hasEnd: Bool { end != nil }

    func withoutEnd() -> any LayerSegment { RecurrentSegment(end: nil) }
}
