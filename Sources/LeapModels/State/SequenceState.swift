public import LeapBlocks
import LeapOps

/// What a model remembers of one sequence: keys and values of its attention layers, and the rolling inputs of its
/// short-convolution layers.
///
/// Owned by one caller, who hands it to a forward pass by way of a ``Batch``.
public final class SequenceState {
    /// Tokens held; the position of the next token.
    public internal(set) var position = 0

    /// The most tokens that the state may hold.
    public let capacity: Int

    /// How keys and values are kept.
    public let keyValueTypes: KeyValueTypes

    /// One per attention layer, in the order of the layers.
    var caches: [KeyValueCache]

    /// Where the keys and values of each cache lie, as of the last ``reserve(_:)``: a pass reads these without counting
    /// references to caches and their blocks.
    let views: UnsafeMutablePointer<KeyValueView>

    /// One per short-convolution layer, in the order of the layers.
    var convolutions: [ShortConvolutionState]

    /// What ``convolutions`` was before the last pass, for one that is abandoned.
    private var convolutionsBefore: [ShortConvolutionState]

    /// The model that the state belongs to.
    let owner: ModelIdentity

    /// Tokens held before the last pass.
    var passStart = 0

    /// Of every short-convolution layer, what ``convolutions`` was where a segment ended within the last pass.
    private(set) var checkpoints: [[ShortConvolutionState]]

    /// What the convolutions read in the last pass, one per layer; empty unless the pass is to be reversible.
    var trails: [ConvolutionTrail] = []

    init(
        of owner: ModelIdentity, capacity: Int, keyValueTypes: KeyValueTypes, caches: [KeyValueCache],
        convolutions: [ShortConvolutionState]
    ) {
        self.owner = owner
        self.capacity = capacity
        self.keyValueTypes = keyValueTypes
        self.caches = caches
        self.convolutions = convolutions
        convolutionsBefore = convolutions
        checkpoints = convolutions.map { _ in [] }
        views = .allocate(capacity: caches.count)
        for (index, cache) in caches.enumerated() { (views + index).initialize(to: cache.view) }
    }

    deinit { views.deallocate() }

    /// Forgets everything.
    public func reset() {
        (position, passStart) = (0, 0)
        for index in caches.indices { caches[index].truncate(to: 0) }
        for index in convolutions.indices { convolutions[index].reset() }
    }

    /// A second state that continues from here by itself. Finished blocks of keys and values stay shared.
    public func fork() -> SequenceState {
        let copy = SequenceState(
            of: owner, capacity: capacity, keyValueTypes: keyValueTypes, caches: caches, convolutions: convolutions)
        (copy.position, copy.passStart) = (position, position)
        return copy
    }

    /// Whether the rows of the next pass, if they are few, can be taken back; see ``rollBack(_:)``.
    public var isReversible: Bool {
        get { !trails.isEmpty || convolutions.isEmpty }
        set {
            trails = newValue ? convolutions.map { ConvolutionTrail(of: $0, rows: Self.reversibleRows) } : []
        }
    }

    /// The most rows of a pass that can be taken back.
    public static let reversibleRows = 8

    /// Forgets the last tokens of the last pass, which was reversible.
    ///
    /// - Parameter count: At most the pass's rows.
    public func rollBack(_ count: Int) {
        guard count > 0 else { return }
        precondition(
            isReversible && count <= position - passStart,
            "\(count) of the last pass's \(position - passStart) tokens cannot be taken back")
        position -= count
        for index in trails.indices { convolutions[index].rollBack(count, along: trails[index]) }
    }

    /// Makes room for a pass over `count` more tokens; `false` where there is no memory.
    func reserve(_ count: Int) -> Bool {
        passStart = position
        for index in convolutions.indices { convolutionsBefore[index].copy(convolutions[index]) }
        for index in checkpoints.indices where !checkpoints[index].isEmpty { checkpoints[index].removeAll() }
        for index in caches.indices {
            guard caches[index].reserve(position..<position + count) else { return false }
            views[index] = caches[index].view
        }
        return true
    }

    /// Forgets what a pass that did not come to its end has changed: keys and values behind ``position`` count for nothing.
    func abandonPass() {
        for index in convolutions.indices { convolutions[index].copy(convolutionsBefore[index]) }
        for index in checkpoints.indices { checkpoints[index].removeAll() }
    }

    /// Calls `body` with the rows of a pass over the next tokens, cut where segments end, and notes what the convolution of
    /// a layer is there.
    func forEachSegment(of rows: Range<Int>, layer: Int, _ body: (Range<Int>) -> Void) {
        var next = rows.lowerBound
        while next < rows.upperBound {
            let read = position + next - rows.lowerBound
            let end = min(rows.upperBound, next + StateSegment.length - read % StateSegment.length)
            body(next..<end)
            if end < rows.upperBound { checkpoints[layer].append(convolutions[layer]) }
            next = end
        }
    }
}

/// Tells one loaded model from another: a state fits the model that made it, and no other.
final class ModelIdentity: Sendable {}
