/// The progress of a text through a ``Constraint``. A value type: copies are independent.
public struct ConstraintState: Sendable {
    private let machine: Machine
    private(set) var configuration: Configuration
    /// The text so far, if the grammar evaluates it.
    private var text: [UInt8] = []

    init(_ grammar: Grammar) {
        machine = Machine(grammar: grammar)
        configuration = machine.start()
    }

    var grammar: Grammar { machine.grammar }

    /// Whether the text so far satisfies the constraint.
    public var isAccepting: Bool { configuration.acceptsEnd }

    /// Whether the text satisfies the constraint and nothing may follow.
    public var isComplete: Bool { configuration.acceptsEnd && configuration.threads.isEmpty }

    /// Whether the text violates the constraint; no text that begins with it satisfies the constraint.
    public var isDead: Bool { configuration.isDead }

    /// A mask for which this many paths must be walked through the vocabulary is made in milliseconds.
    static let fewPaths = 8

    /// Whether there are only few ways to parse the text so far, so that its mask is made quickly.
    package var hasFewPaths: Bool { configuration.threads.count <= Self.fewPaths }

    /// Consumes one byte.
    ///
    /// - Returns: Whether a text that begins with all bytes so far can satisfy the constraint. If not, the state is
    ///   dead.
    @discardableResult
    public mutating func advance(_ byte: UInt8) -> Bool {
        if grammar.judgesText { text.append(byte) }
        var work = 0
        configuration = machine.step(configuration, byte, text: text, work: &work)
        return !isDead
    }

    /// Consumes bytes.
    ///
    /// - Returns: The index of the first byte that the constraint does not permit; nil if it permits all.
    @discardableResult
    public mutating func advance(_ bytes: some Sequence<UInt8>) -> Int? {
        for (index, byte) in bytes.enumerated() where !advance(byte) { return index }
        return nil
    }
}
