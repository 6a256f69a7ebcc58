/// The rows of one forward pass.
///
/// Prefill, decoding, several conversations at once, verification of drafted tokens and embedded images are all just
/// rows: an input, the sequence that it continues, and whether its logits are wanted. Rows of one sequence take
/// consecutive positions in the order in which they are appended.
public struct Batch {
    /// What a row starts from.
    enum Input {
        case token(Int32)
        /// The index of a row in ``embeddings``.
        case embedding(Int)
    }

    private(set) var inputs: [Input] = []
    private(set) var positions: [Int] = []
    /// For every row the index of its sequence in ``sequences``.
    private(set) var sequenceOfRow: [Int] = []
    private(set) var sequences: [SequenceState] = []
    /// Rows of each sequence.
    private(set) var counts: [Int] = []
    /// Indices of the rows whose logits are wanted.
    private(set) var wanted: [Int] = []
    private(set) var embeddings: [[Float]] = []

    /// A batch without rows.
    public init() {}

    /// Number of rows.
    public var count: Int { inputs.count }

    /// Appends a token to a sequence.
    public mutating func append(token: Int32, to state: SequenceState, wantsLogits: Bool) {
        append(.token(token), to: state, wantsLogits: wantsLogits)
    }

    /// Appends an embedding, `embeddingLength` floats, in the place of a token.
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

    /// Removes all rows and keeps the memory.
    public mutating func removeAll() {
        inputs.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        sequenceOfRow.removeAll(keepingCapacity: true)
        sequences.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        wanted.removeAll(keepingCapacity: true)
        embeddings.removeAll(keepingCapacity: true)
    }

    /// Uses the state of a sequence without counting a reference to it: the batch holds it meanwhile.
    func withState<Result>(of sequence: Int, _ body: (SequenceState) -> Result) -> Result {
        Unmanaged.passUnretained(sequences[sequence])._withUnsafeGuaranteedRef(body)
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
        positions.append(state.position + counts[sequence])
        sequenceOfRow.append(sequence)
        counts[sequence] += 1
    }
}
