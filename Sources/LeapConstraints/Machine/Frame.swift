/// One level of a thread's stack: a node in progress, and how far it is. Immutable and shared between threads.
final class Frame: Sendable {
    let node: NodeID
    let progress: Progress
    let parent: Frame?
    /// The number of frames down to the bottom of the stack.
    let depth: Int
    private let hash: Int

    init(_ node: NodeID, _ progress: Progress, parent: Frame?) {
        self.node = node
        self.progress = progress
        self.parent = parent
        depth = (parent?.depth ?? 0) + 1
        var hasher = Hasher()
        hasher.combine(node)
        hasher.combine(progress)
        hasher.combine(parent?.hash)
        hash = hasher.finalize()
    }
}

extension Frame: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    static func == (a: Frame, b: Frame) -> Bool {
        var (a, b) = (a, b)
        // A loop instead of recursion: stacks are deep if models nest deeply.
        while a !== b {
            guard a.hash == b.hash, a.node == b.node, a.depth == b.depth, a.progress == b.progress else { return false }
            guard let nextA = a.parent, let nextB = b.parent else { return a.parent == nil && b.parent == nil }
            (a, b) = (nextA, nextB)
        }
        return true
    }
}

/// The progress of a node on the stack.
enum Progress: Hashable, Sendable {
    /// The part with this index comes next.
    case sequence(next: Int)
    /// This many rounds are complete.
    case repetition(count: Int)
    /// `count` items are complete, `contained` of which are required ones; `phase` is what is on top of the frame.
    case list(count: Int, phase: ListPhase, contained: Int = 0, read: Unhashed<ReadItems?> = Unhashed(nil))
    case object(ObjectProgress, phase: ObjectPhase)
    /// A value that is evaluated once it is complete; it begins at this byte of the text.
    case judged(start: Unhashed<Int>)
}

/// The items of a list of distinct items.
struct ReadItems: Sendable {
    var values: Set<JSONEquality> = []
    /// Where the current item begins in the text.
    var start = 0
}

/// Data that follow from the bytes read, and therefore do not distinguish threads that have read the same bytes.
struct Unhashed<Value: Sendable>: Hashable, Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }

    static func == (a: Unhashed, b: Unhashed) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

enum ListPhase: Hashable, Sendable { case open, space, item }

enum ObjectPhase: Hashable, Sendable {
    case open
    case space
    case key
    /// The colon, after which this value follows.
    case colon(value: NodeID)
    case value
}

/// The members that an object has so far.
struct ObjectProgress: Hashable, Sendable {
    /// A bit set of the declared keys that occurred.
    var seen: [UInt64]
    /// The number of required keys that did not.
    var missing: Int
    /// How many ranks of the keys' order are passed; 0 if there is no order.
    var rank = 0
    /// The number of keys; saturated where larger counts are equivalent.
    var count = 0
    /// The open keys that occurred.
    var used = SortedWords([])
    /// Whether an open key occurred whose text was not kept, which happens only while tokens are tried out.
    var hasUnknownKey = false

    init(_ object: ObjectNode) {
        seen = Bits.empty(count: object.names.count)
        missing = object.requiredCount
    }
}
