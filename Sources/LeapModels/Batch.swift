public import LeapOps

/// The rows of one forward pass.
///
/// Prefill, decoding, several conversations at once, verification of drafted tokens and embedded images are all just
/// rows: an input, the sequence that it continues, and whether its logits are wanted. Rows of one sequence take
/// consecutive positions in the order in which they are appended, after what the sequence holds when the pass begins.
///
/// A pass reads prompts or decodes answers, because the two are computed differently: see ``LeapOps/RowKind``.
public struct Batch {
    /// What a row starts from.
    enum Input {
        case token(Int32)
        /// The index of a row in ``embeddings``.
        case embedding(Int)
    }

    /// What the rows are.
    public let kind: RowKind
    /// The kind of the rows for the output projection, which has the largest matrix. A prompt needs logits of its last
    /// row only, and for one row it does not pay to unpack that matrix.
    let kindOfLogits: RowKind

    private(set) var inputs: [Input] = []
    /// How many rows of its sequence come before each row.
    private(set) var offsets: [Int] = []
    /// The index of each row's sequence in ``sequences``.
    private(set) var sequenceOfRow: [Int] = []
    private(set) var sequences: [SequenceState] = []
    /// Rows of each sequence.
    private(set) var counts: [Int] = []
    /// Indices of the rows whose logits are wanted.
    private(set) var wanted: [Int] = []
    private(set) var embeddings: [[Float]] = []
    /// Rows that belong to the second segment of a text pair. Only encoders have such rows.
    private var secondSegments: Set<Int> = []
    /// Rows that no row attends to, not even the rows themselves: the padding of a query. Only encoders have such rows.
    private var unseen: Set<Int> = []

    /// A batch without rows.
    ///
    /// - Parameters:
    ///   - kind: What the rows will be.
    ///   - scoresText: Whether the rows are a text that is scored: nearly all of them want logits.
    public init(of kind: RowKind, scoresText: Bool = false) {
        self.kind = kind
        kindOfLogits = scoresText ? kind : .answer
    }

    /// Number of rows.
    public var count: Int { inputs.count }

    /// Appends a token to a sequence.
    public mutating func append(token: Int32, to state: SequenceState, wantsLogits: Bool) {
        append(.token(token), to: state, wantsLogits: wantsLogits)
    }

    /// Appends an embedding, `embeddingLength` floats, in place of a token.
    public mutating func append(embedding: [Float], to state: SequenceState, wantsLogits: Bool) {
        embeddings.append(embedding)
        append(.embedding(embeddings.count - 1), to: state, wantsLogits: wantsLogits)
    }

    /// Appends tokens to a sequence; logits of the last one only, if wanted.
    public mutating func append(tokens: some Collection<Int32>, to state: SequenceState, wantsLogits: Bool) {
        let last = tokens.count - 1
        for (index, token) in tokens.enumerated() {
            append(token: token, to: state, wantsLogits: wantsLogits && index == last)
        }
    }

    /// Appends a token of a text that only reads.
    ///
    /// - Parameters:
    ///   - isInSecondSegment: Whether it belongs to the second of two texts that are read as one.
    ///   - isSeen: Whether rows attend to it. Once a row of a sequence is hidden, all rows after it must be, too.
    mutating func append(
        token: Int32, to state: SequenceState, wantsVector: Bool, isInSecondSegment: Bool, isSeen: Bool
    ) {
        if isInSecondSegment { secondSegments.insert(inputs.count) }
        if !isSeen { unseen.insert(inputs.count) }
        append(.token(token), to: state, wantsLogits: wantsVector)
    }

    /// Whether a row belongs to the second of two texts that are read as one.
    func isInSecondSegment(_ row: Int) -> Bool { secondSegments.contains(row) }

    /// Whether there are rows that no row sees.
    var hidesRows: Bool { !unseen.isEmpty }

    /// The rows of a range that are not hidden: all, or the leading ones.
    func seen(of rows: Range<Int>) -> Range<Int> {
        guard hidesRows else { return rows }
        return rows.lowerBound..<(rows.first { unseen.contains($0) } ?? rows.upperBound)
    }

    /// Removes all rows and keeps the memory.
    public mutating func removeAll() {
        inputs.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        sequenceOfRow.removeAll(keepingCapacity: true)
        sequences.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        wanted.removeAll(keepingCapacity: true)
        embeddings.removeAll(keepingCapacity: true)
        secondSegments.removeAll(keepingCapacity: true)
        unseen.removeAll(keepingCapacity: true)
    }

    /// Uses the state of a sequence without reference counting: the batch keeps it alive.
    func withState<Result>(of sequence: Int, _ body: (SequenceState) -> Result) -> Result {
        Unmanaged.passUnretained(sequences[sequence])._withUnsafeGuaranteedRef(body)
    }

    /// The most positions that one of the sequences may hold.
    var largestCapacity: Int {
        var largest = 0
        for sequence in sequences.indices { largest = max(largest, withState(of: sequence) { $0.capacity }) }
        return largest
    }

    /// The position of a row in its sequence, if the pass began now.
    func position(of row: Int) -> Int {
        withState(of: sequenceOfRow[row]) { $0.position } + offsets[row]
    }

    /// Calls `body` with rows that follow each other in one sequence, and the index of the sequence.
    func forEachRun(_ body: (_ rows: Range<Int>, _ sequence: Int) -> Void) {
        var start = 0
        while start < count {
            let sequence = sequenceOfRow[start]
            var end = start + 1
            while end < count, sequenceOfRow[end] == sequence { end += 1 }
            body(start..<end, sequence)
            start = end
        }
    }

    private mutating func append(_ input: Input, to state: SequenceState, wantsLogits: Bool) {
        let sequence = sequences.firstIndex { $0 === state } ?? sequences.count
        if sequence == sequences.count {
            sequences.append(state)
            counts.append(0)
        }
        if wantsLogits { wanted.append(inputs.count) }
        inputs.append(input)
        offsets.append(counts[sequence])
        sequenceOfRow.append(sequence)
        counts[sequence] += 1
    }
}
