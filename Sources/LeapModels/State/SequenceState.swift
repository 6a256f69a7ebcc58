public import LeapBlocks

/// The model's state for one sequence: the ``LayerState`` of every layer, and the position that they have reached.
///
/// Owned by one caller, who hands it to a forward pass by way of a ``Batch``.
public final class SequenceState {
    /// Tokens held; the position of the next token.
    public internal(set) var position = 0

    /// The most tokens that the state may hold.
    public let capacity: Int

    /// How keys and values are kept.
    public let keyValueTypes: KeyValueTypes

    /// How much every adapter of the model weighs in the sequence.
    public let adapterScales: [Float]

    /// One per layer.
    let layers: [any LayerState]

    /// The addresses of ``layers``: a pass reads these without counting references.
    let addresses: UnsafePointer<UnsafeRawPointer>

    /// The model that the state belongs to.
    let owner: ModelIdentity

    /// Tokens held before the last pass.
    var passStart = 0

    /// Passes that have begun; shows a layer whether it has seen the current one.
    private(set) var pass = 0

    /// Positions that all layers have room for, so that most passes need not ask them.
    private var reserved = 0

    /// Tokens held at the last mark.
    private var marked = 0

    /// Whether rollbacks need a trail, and whether one is being kept.
    private let needsTrails: Bool
    private var keepsTrails = false

    init(
        of owner: ModelIdentity, capacity: Int, keyValueTypes: KeyValueTypes, adapterScales: [Float],
        layers: [any LayerState]
    ) {
        self.owner = owner
        self.capacity = capacity
        self.adapterScales = adapterScales
        self.keyValueTypes = keyValueTypes
        self.layers = layers
        needsTrails = layers.contains(where: \.needsTrail)
        let addresses = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: layers.count)
        for (index, layer) in layers.enumerated() {
            (addresses + index).initialize(to: UnsafeRawPointer(Unmanaged<AnyObject>.passUnretained(layer).toOpaque()))
        }
        self.addresses = UnsafePointer(addresses)
    }

    deinit { addresses.deallocate() }

    /// Resets the state.
    public func reset() {
        (position, passStart, reserved, marked) = (0, 0, 0, 0)
        for layer in layers { layer.reset() }
    }

    /// An independent copy that continues from here. Complete blocks of keys and values stay shared.
    public func fork() -> SequenceState {
        let copy = SequenceState(
            of: owner, capacity: capacity, keyValueTypes: keyValueTypes, adapterScales: adapterScales,
            layers: layers.map { $0.fork() })
        (copy.position, copy.passStart) = (position, position)
        // The block in use is shared now, so the next pass must copy it.
        reserved = 0
        return copy
    }

    /// Whether a pass of up to ``reversibleRows`` rows can be rolled back; see ``rollBack(_:)``.
    public var isReversible: Bool {
        get { keepsTrails || !needsTrails }
        set {
            keepsTrails = newValue
            for layer in layers { layer.keepTrail(rows: newValue ? Self.reversibleRows : 0) }
        }
    }

    /// The most rows of a pass that can be rolled back.
    public static let reversibleRows = 8

    /// Rolls back the last tokens of the last pass, which was reversible.
    ///
    /// - Parameter count: At most the pass's rows.
    public func rollBack(_ count: Int) {
        guard count > 0 else { return }
        precondition(
            isReversible && count <= position - passStart,
            "\(count) of the last pass's \(position - passStart) tokens cannot be rolled back")
        position -= count
        // The pass may have completed a block that a segment now shares.
        reserved = 0
        for layer in layers { layer.rollBack(count) }
    }

    /// Marks the current position, so that ``returnToMark()`` undoes the passes after it.
    ///
    /// - Parameter room: The most tokens that will be read until then.
    /// - Returns: `false` if memory for them cannot be allocated.
    public func mark(room: Int) -> Bool {
        // Now and not during the passes: when a layer with a window makes room, it drops what has left the window,
        // which the mark may still need.
        guard makeRoom(for: room) else { return false }
        marked = position
        for layer in layers { layer.mark() }
        return true
    }

    /// Goes back to the last mark.
    public func returnToMark() {
        guard marked <= position else { return }
        (position, passStart, reserved) = (marked, marked, 0)
        for layer in layers { layer.returnToMark() }
    }

    /// Makes the next pass copy the block that it continues, because the block is shared from now on.
    func shareCurrentBlock() { reserved = 0 }

    /// Begins a pass over `count` more tokens and makes room for them; `false` if memory cannot be allocated.
    func reserve(_ count: Int) -> Bool {
        passStart = position
        pass += 1
        return makeRoom(for: count)
    }

    private func makeRoom(for count: Int) -> Bool {
        guard position + count > reserved else { return true }
        reserved = 0
        let end = (position + count + StateSegment.length - 1) / StateSegment.length * StateSegment.length
        for layer in layers {
            guard layer.reserve(position..<end) else { return false }
        }
        reserved = end
        return true
    }

    /// Undoes the changes of an unfinished pass.
    func abandonPass() {
        for layer in layers { layer.abandon(pass: pass) }
    }

    /// Replaces the state by segments of the same model, which follow each other from the start of a sequence. Stops
    /// before a segment of another model, with other adapter scales or other types of keys and values, or after an
    /// incomplete segment; and then at the last segment that has an end, see ``StateSegment/hasEnd``.
    public func restore(_ segments: some Collection<StateSegment>) {
        reset()
        var used: [StateSegment] = []
        for segment in segments {
            guard fits(segment), (used.last?.count ?? StateSegment.length) == StateSegment.length else { break }
            used.append(segment)
        }
        while used.last?.hasEnd == false { used.removeLast() }
        for segment in used {
            for (layer, part) in zip(layers, segment.layers) { layer.append(part) }
            position += segment.count
        }
        passStart = position
    }
}

extension SequenceState {
    private func fits(_ segment: StateSegment) -> Bool {
        segment.owner === owner && segment.keyValueTypes == keyValueTypes && segment.adapterScales == adapterScales
    }
}

/// The identity of a loaded model. A state fits only the model that made it.
final class ModelIdentity: Sendable {}
