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

    /// One per attention layer, in the order of the layers.
    var caches: [KeyValueCache]

    /// Where the keys and values of each cache lie, as of the last ``reserve(_:)``: a pass reads these without counting
    /// references to caches and their blocks.
    let views: UnsafeMutablePointer<KeyValueView>

    /// One per short-convolution layer, in the order of the layers.
    var convolutions: [ShortConvolutionState]

    /// What the convolutions read in the last pass, one per layer; empty unless the pass is to be reversible.
    var trails: [ConvolutionTrail] = []

    init(capacity: Int, caches: [KeyValueCache], convolutions: [ShortConvolutionState]) {
        self.capacity = capacity
        self.caches = caches
        self.convolutions = convolutions
        views = .allocate(capacity: caches.count)
        for (index, cache) in caches.enumerated() { (views + index).initialize(to: cache.view) }
    }

    deinit { views.deallocate() }

    /// Forgets everything.
    public func reset() {
        position = 0
        for index in caches.indices { caches[index].truncate(to: 0) }
        for index in convolutions.indices { convolutions[index].reset() }
    }

    /// A second state that continues from here by itself. Finished blocks of keys and values stay shared.
    public func fork() -> SequenceState {
        let copy = SequenceState(capacity: capacity, caches: caches, convolutions: convolutions)
        copy.position = position
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
        precondition(isReversible && count <= position, "\(count) of \(position) tokens cannot be taken back")
        position -= count
        for index in trails.indices { convolutions[index].rollBack(count, along: trails[index]) }
    }

    /// Makes room for `count` more tokens; `false` where there is no memory.
    func reserve(_ count: Int) -> Bool {
        for index in caches.indices {
            guard caches[index].reserve(position..<position + count) else { return false }
            views[index] = caches[index].view
        }
        return true
    }
}
