/// How far a text has come through a ``Constraint``. A value: copies go their own ways.
public struct ConstraintState: Sendable {
    private let machine: Machine
    private(set) var configuration: Configuration
    /// What was read, if the grammar judges by it.
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

    /// Whether the text has left the constraint; no text that begins like it satisfies it.
    public var isDead: Bool { configuration.isDead }

    /// Reads one byte.
    ///
    /// - Returns: Whether a text that begins with all bytes so far can satisfy the constraint. The state is dead if not.
    @discardableResult
    public mutating func advance(_ byte: UInt8) -> Bool {
        if grammar.judgesText { text.append(byte) }
        var work = 0
        configuration = machine.step(configuration, byte, text: text, work: &work)
        return !isDead
    }

    /// Reads bytes.
    ///
    /// - Returns: The index of the first byte that the constraint does not permit; nil when it permits all.
    @discardableResult
    public mutating func advance(_ bytes: some Sequence<UInt8>) -> Int? {
        for (index, byte) in bytes.enumerated() where !advance(byte) { return index }
        return nil
    }
}
