import LeapOps

/// The rotary embeddings of a model, of which each layer chooses one or none: a pass computes the angles of each once.
struct RotarySettings: Sendable {
    /// The embedding of layers that see all positions; `nil` if none rotates.
    let global: RotaryEmbedding?
    /// The embedding of layers that look back over a window, if it differs from ``global``.
    let windowed: RotaryEmbedding?
    /// What replaces ``global`` in long sequences; `nil` if nothing does.
    let long: LongRotary?
}

/// The rotary embedding of sequences that may become longer than those which a model was first trained on.
///
/// A sequence keeps its angles as it grows: they follow from the capacity of its state, which is known from its start.
struct LongRotary: Sendable {
    let embedding: RotaryEmbedding
    let originalContextLength: Int

    /// Whether a sequence of up to this many tokens is long.
    func isLong(capacity: Int) -> Bool { capacity > originalContextLength }
}

/// A layer's choice.
enum RotaryChoice: Sendable {
    case global
    case windowed
}
