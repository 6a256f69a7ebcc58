/// How much a pass takes of a ``ScratchArena``: a count of what it will ask for, in the arena's own units, made before
/// any of it is there.
///
/// Every operation that takes scratch memory has a function beside it that counts the same here.
public struct ScratchSize {
    /// The most bytes that are taken at one time.
    public private(set) var peak = 0

    private var taken = 0

    /// Nothing.
    public init() {}

    /// Counts what ``ScratchArena/scope(_:)`` gives back.
    public mutating func scope(_ body: (inout ScratchSize) -> Void) {
        let before = taken
        body(&self)
        taken = before
    }

    /// Counts ``ScratchArena/rows(_:width:)``.
    public mutating func rows(_ count: Int, width: Int) { array(of: Float.self, count: count * width) }

    /// Counts ``ScratchArena/array(of:count:)``.
    public mutating func array<Element>(of type: Element.Type, count: Int) {
        bytes(count * MemoryLayout<Element>.stride)
    }

    /// Counts ``ScratchArena/bytes(_:)``.
    public mutating func bytes(_ count: Int) {
        taken += ScratchArena.size(ofBytes: count)
        peak = max(peak, taken)
    }
}
