import LeapOps

/// What one layer with a matrix for every head remembers of one sequence.
///
/// Two memories take turns: a pass reads one and writes the other, so that it can be abandoned without a copy, and its last
/// rows can be taken back by computing those before them anew.
final class RecurrentState: LayerState {
    private let shape: RecurrentShape

    /// What is remembered behind the last pass, but for ``rowsToRepeat``; `nil` before memory is taken.
    private var current: RecurrentMemory?
    /// What was remembered before it.
    private var before: RecurrentMemory?

    /// The last pass, the position at which it began, and the one to which it came.
    private var (pass, start, end) = (0, 0, 0)

    /// What was remembered at the last end of a segment within that pass.
    private var checkpoint: (position: Int, memory: RecurrentMemory)?

    /// Rows of a pass that is to be reversible.
    private var reversibleRows = 0
    /// The rows of that pass, if it is.
    private var trail: RecurrentTrail?
    /// This state as it was at the mark.
    private var marked: RecurrentState?
    /// Whether there was no memory for what should be remembered.
    private var isLost = false
    /// Where rows were taken back: how many of ``trail`` are left, which ``before`` is yet to be taken through.
    private var rowsToRepeat: Int?

    init(_ shape: RecurrentShape) { self.shape = shape }

    /// Takes some rows into the memory.
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
    ///   - step: Takes rows from one memory to another. Rows that are repeated are none of the pass.
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

    /// Makes what is remembered now the memory that a new pass starts from. Here, and not when the pass begins, because this
    /// reads the same memory.
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
        // The same number may not come again, but a sequence that is cancelled twice must not go back twice.
        pass = 0
    }

    func reset() {
        (current, before, checkpoint, rowsToRepeat) = (nil, nil, nil, nil)
        marked = nil
        (start, end, isLost) = (0, 0, false)
    }

    func fork() -> any LayerState { copy() }

    /// What is remembered, and no more: where no rows are to be repeated, that is the one memory.
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

    /// Rows that are yet to be repeated stay noted.
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
            // Nothing was remembered where there was no memory yet: ``reserve(_:)`` takes it anew.
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

    /// A copy of what is remembered at a position, where that is known.
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

/// What is remembered at the end of a segment; nothing of its tokens one by one.
struct RecurrentSegment: LayerSegment {
    /// `nil` where nobody can go on behind the segment.
    let end: RecurrentMemory?

    var byteCount: Int { end?.shape.byteCount ?? 0 }

    func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) {
        if let end { body(UnsafeRawBufferPointer(end.bytes)) }
    }

    var hasEnd: Bool { end != nil }

    func withoutEnd() -> any LayerSegment { RecurrentSegment(end: nil) }
}
