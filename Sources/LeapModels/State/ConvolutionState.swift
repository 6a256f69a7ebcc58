import LeapOps

/// The rolling inputs of one short-convolution layer of one sequence.
final class ConvolutionState: LayerState {
    private var inputs: ShortConvolutionState

    /// The number of the last pass that read rows here, and the position at which it began.
    private var pass = 0
    private var passStart = 0

    /// ``inputs`` before that pass, in case the pass is abandoned.
    private var before: ShortConvolutionState

    /// ``inputs`` at the segment ends within that pass.
    private var checkpoints: [(position: Int, inputs: ShortConvolutionState)] = []

    /// The rows of that pass, if it must be reversible.
    private var trail: ConvolutionTrail?

    /// ``inputs`` at the mark.
    private var marked: ShortConvolutionState?

    init(_ inputs: ShortConvolutionState) {
        self.inputs = inputs
        before = inputs
    }

    /// Reads rows that follow each other in the sequence, cut at the ends of segments.
    ///
    /// - Parameters:
    ///   - gates: All rows of the pass, see ``LeapOps/Compute/shortConvolution(_:_:filter:taps:into:)``.
    ///   - rows: Those that are read.
    ///   - position: That of the first of them.
    ///   - number: The sequence's number of the pass.
    ///   - convolve: Convolves some of the rows, and advances the state past them.
    func read(
        _ gates: Rows, _ rows: Range<Int>, at position: Int, pass number: Int,
        _ convolve: (Range<Int>, inout ShortConvolutionState) -> Void
    ) {
        if number != pass { begin(number, at: position) }
        trail?.record(gates[rows], after: inputs)
        var next = rows.lowerBound
        while next < rows.upperBound {
            let now = position + next - rows.lowerBound
            if now > passStart, now.isMultiple(of: StateSegment.length) { checkpoints.append((now, inputs)) }
            let end = min(rows.upperBound, next + StateSegment.length - now % StateSegment.length)
            convolve(next..<end, &inputs)
            next = end
        }
    }

    /// Saves what a new pass will change. Done here and not when the pass begins, while the data is in the CPU's cache
    /// for the convolution.
    private func begin(_ number: Int, at position: Int) {
        (pass, passStart) = (number, position)
        before.copy(&inputs)
        if !checkpoints.isEmpty { checkpoints.removeAll() }
    }

    func reserve(_ positions: Range<Int>) -> Bool { true }

    func abandon(pass number: Int) {
        guard number == pass else { return }
        inputs.copy(&before)
        checkpoints.removeAll()
    }

    func reset() {
        inputs.reset()
        checkpoints.removeAll()
    }

    func fork() -> any LayerState { ConvolutionState(inputs) }

    var needsTrail: Bool { true }

    func keepTrail(rows: Int) { trail = rows > 0 ? ConvolutionTrail(of: inputs, rows: rows) : nil }

    func rollBack(_ count: Int) {
        if let trail { inputs.rollBack(count, along: trail) }
    }

    func mark() { marked = inputs }

    func returnToMark() {
        if let marked { inputs = marked }
    }

    /// The inputs after the last of the positions.
    func segment(of positions: Range<Int>, keepsEnd: Bool) -> any LayerSegment {
        checkpoints.first { $0.position == positions.upperBound }?.inputs ?? inputs
    }

    func append(_ segment: any LayerSegment) {
        if let inputs = segment as? ShortConvolutionState { self.inputs = inputs }
    }

    var segmentByteCount: Int { inputs.byteCount }

    func makeSegment(copying bytes: UnsafeRawBufferPointer) -> (any LayerSegment)? {
        var copy = inputs
        copy.load(bytes)
        return copy
    }
}

extension ShortConvolutionState: LayerSegment {
    func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) { values.withUnsafeBytes(body) }
}
