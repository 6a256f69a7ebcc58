import LeapBlocks
import LeapOps

/// The keys and values of one attention layer of one sequence, as far back as a row may look.
final class KeyValueState: LayerState {
    private var cache: KeyValueCache
    private let rule: AttentionRule

    /// The addresses of the keys and values, as of the last ``reserve(_:)``.
    private(set) var view: KeyValueView

    init(_ cache: KeyValueCache, _ rule: AttentionRule) {
        (self.cache, self.rule) = (cache, rule)
        view = cache.view
    }

    func reserve(_ positions: Range<Int>) -> Bool {
        defer { view = cache.view }
        cache.forget(before: rule.firstVisited(from: positions.lowerBound))
        return cache.reserve(positions)
    }

    /// Keys and values after the sequence's position count for nothing.
    func abandon(pass: Int) {}

    func reset() { cache.truncate(to: 0) }

    func fork() -> any LayerState { KeyValueState(cache, rule) }

    var needsTrail: Bool { false }

    func keepTrail(rows: Int) {}

    /// Keys and values after the sequence's position count for nothing.
    func rollBack(_ count: Int) {}

    /// Keys and values after the sequence's position count for nothing.
    func mark() {}

    func returnToMark() {}

    func segment(of positions: Range<Int>, keepsEnd: Bool) -> any LayerSegment { cache.run(of: positions) }

    func append(_ segment: any LayerSegment) {
        if let run = segment as? KeyValueRun { cache.append(run) }
    }

    var segmentByteCount: Int { cache.byteCount(positions: StateSegment.length) }

    func makeSegment(copying bytes: UnsafeRawBufferPointer) -> (any LayerSegment)? { cache.makeRun(copying: bytes) }
}

extension KeyValueRun: LayerSegment {
    func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) { forEachBlock(body) }
}
