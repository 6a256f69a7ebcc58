/// One level of a thread's stack: a node that is under way, and how far it is. Immutable and shared between threads.
final class Frame: Sendable {
    let node: NodeID
    let progress: Progress
    let parent: Frame?
    /// Frames from here to the bottom.
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
        // A loop, not recursion: stacks are deep where models nest.
        while a !== b {
            guard a.hash == b.hash, a.node == b.node, a.depth == b.depth, a.progress == b.progress else { return false }
            guard let nextA = a.parent, let nextB = b.parent else { return a.parent == nil && b.parent == nil }
            (a, b) = (nextA, nextB)
        }
        return true
    }
}

/// How far a node on the stack is.
enum Progress: Hashable, Sendable {
    /// The part with this index comes next.
    case sequence(next: Int)
    /// So many rounds are complete.
    case repetition(count: Int)
    /// So many items are complete, of which so many are what the list must contain; what stands on top of the frame is `phase`.
    case list(count: Int, phase: ListPhase, contained: Int = 0, read: Unhashed<ReadItems?> = Unhashed(nil))
    case object(ObjectProgress, phase: ObjectPhase)
    /// A value that is judged when it is complete; it begins at this byte of the text.
    case judged(start: Unhashed<Int>)
}

/// The items of a list in which no two may be equal.
struct ReadItems: Sendable {
    var values: Set<JSONEquality> = []
    /// Where the item that is under way begins in the text.
    var start = 0
}

/// What follows from the bytes that were read, and so makes no difference between threads that have read the same.
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

/// Which members an object has so far.
struct ObjectProgress: Hashable, Sendable {
    /// Bits of the declared keys that occurred.
    var seen: [UInt64]
    /// Required keys that did not.
    var missing: Int
    /// How many places of the keys' order are passed; 0 where there is none.
    var rank = 0
    /// All keys; saturated where more make no difference.
    var count = 0
    /// The open keys that occurred.
    var used = SortedWords([])
    /// Whether an open key occurred whose text was not kept, which only happens while tokens are tried out.
    var hasUnknownKey = false

    init(_ object: ObjectNode) {
        seen = Bits.empty(count: object.names.count)
        missing = object.requiredCount
    }
}
