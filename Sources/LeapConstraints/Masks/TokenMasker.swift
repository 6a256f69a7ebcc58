/// Computes which tokens may come next in a text under a constraint.
///
/// For one constraint and one vocabulary. It caches its results, within bounds, so keep it when generating several
/// texts under one constraint. Not thread-safe.
public struct TokenMasker {
    private let grammar: Grammar
    private let vocabulary: TokenVocabulary
    private var automaton: LazyAutomaton
    /// Cached masks of single threads.
    private var masks: [Thread: ThreadMask] = [:]
    /// The plain tokens that fit inside a string with a pattern, per automaton and state; independent of the rest of
    /// the stack.
    private var contents: [ContentKey: TokenMask] = [:]

    private struct ContentKey: Hashable {
        let automaton: Int
        let state: ByteAutomaton.StateID
    }

    /// The maximum total size of cached masks in bytes.
    private static let memoryLimit = 8 << 20

    /// The number of machine steps for one mask after which the remaining threads share one walk.
    private static let workLimit = 100_000
    /// What a thread's walk through the vocabulary counts as, in machine steps: it takes about as long as some thousand.
    private static let walkWork = 5_000
    /// The walks of single threads so far.
    private var walks = 0
    /// The work so far, in machine steps.
    private var work: Int { automaton.work + walks * Self.walkWork }

    /// Makes a masker with an empty cache.
    public init(_ constraint: Constraint, _ vocabulary: TokenVocabulary) {
        grammar = constraint.grammar
        automaton = LazyAutomaton(constraint.grammar)
        self.vocabulary = vocabulary
    }

    /// The tokens with which the text can continue; end tokens exactly if it satisfies the constraint.
    ///
    /// - Parameter state: A state of the constraint with which the masker was made.
    public mutating func mask(for state: ConstraintState) -> TokenMask {
        let threads = state.configuration.threads
        var (mask, unjudged) = (TokenMask(count: vocabulary.count), [Int32]())
        let workLimit = work + Self.workLimit
        for (index, thread) in threads.enumerated() {
            let isTooMuch = work > workLimit
            let found = isTooMuch ? self.mask(ofAll: threads[index...]) : self.mask(of: thread)
            if index == 0 { mask = found.permitted } else { mask.formUnion(found.permitted) }
            unjudged += found.unjudged
            if isTooMuch { break }
        }
        judge(unjudged, state, &mask)
        if state.isAccepting {
            for token in vocabulary.endTokens where token >= 0 && Int(token) < vocabulary.count { mask.insert(token) }
        }
        return mask
    }

    /// Whether ``mask(for:)`` takes milliseconds at most: there are few threads, or the masks of nearly all are known.
    package func isQuick(for state: ConstraintState) -> Bool {
        guard !state.hasFewPaths else { return true }
        let unknown = state.configuration.threads.lazy.filter { !isKnown($0.withoutText) }
        return unknown.prefix(ConstraintState.fewPaths + 1).count <= ConstraintState.fewPaths
    }

    private func isKnown(_ thread: Thread) -> Bool { masks[uncounted(thread)?.0 ?? thread] != nil }

    /// Adds the tokens that complete accepted values. Neighbouring tokens share prefixes, which are read only once.
    private func judge(_ tokens: [Int32], _ state: ConstraintState, _ mask: inout TokenMask) {
        var path: [(byte: UInt8, state: ConstraintState)] = []
        for token in tokens where !mask.contains(token) {
            let bytes = vocabulary.bytes(of: token)
            let shared = zip(path, bytes).prefix { $0.byte == $1 }.count
            path.removeLast(path.count - shared)
            for byte in bytes.dropFirst(shared) {
                var next = path.last?.state ?? state
                next.advance(byte)
                path.append((byte, next))
                if next.isDead { break }
            }
            if path.last?.state.isDead == false { mask.insert(token) }
        }
    }

    /// The mask of several threads by one walk, which handles common prefixes once but caches nothing.
    private mutating func mask(ofAll threads: ArraySlice<Thread>) -> ThreadMask {
        let start = automaton.state(of: Configuration(threads: threads.map(\.withoutText)))
        var mask = ThreadMask(permitted: TokenMask(count: vocabulary.count))
        walk(vocabulary.special, from: start, &mask)
        walk(vocabulary.plain, from: start, &mask)
        return mask
    }

    private mutating func mask(of thread: Thread) -> ThreadMask {
        let thread = thread.withoutText
        guard let (uncounted, minimum, maximum) = uncounted(thread) else { return keptMask(of: thread) }
        var mask = keptMask(of: uncounted)
        vocabulary.strings.restrict(&mask.permitted, minimum: minimum, maximum: maximum)
        return mask
    }

    /// Treats a string of bounded length, in which any character of a set may occur anywhere, as one of any length, and
    /// returns the bounds on the characters to come.
    private func uncounted(_ thread: Thread) -> (Thread, minimum: Int, maximum: Int?)? {
        guard case .string(let node, var text) = thread.place, case .string(let string) = grammar.nodes[node],
            text.place == .inside, string.profile == nil, string.isBounded,
            text.content.state == ByteAutomaton.start
        else { return nil }
        let count = text.content.count
        text.content.count = TextContent.uncounted
        let twin = Thread(place: .string(node, text), parent: thread.parent)
        return (twin, max(string.minimum - count, 0), string.maximum.map { $0 - count })
    }

    private mutating func keptMask(of thread: Thread) -> ThreadMask {
        if let known = masks[thread] { return known }
        if (masks.count + contents.count) * vocabulary.count / 8 > Self.memoryLimit {
            masks.removeAll(keepingCapacity: true)
            contents.removeAll(keepingCapacity: true)
        }
        let mask = computedMask(of: thread)
        masks[thread] = mask
        return mask
    }

    private mutating func computedMask(of thread: Thread) -> ThreadMask {
        if isInsideAnyText(thread) { return anyTextMask(of: thread) }
        walks += 1
        let start = automaton.state(of: Configuration(threads: [thread]))
        let plain = plainTokens(of: thread)
        var mask = ThreadMask(permitted: plain ?? TokenMask(count: vocabulary.count))
        walk(vocabulary.special, from: start, &mask)
        if plain == nil { walk(vocabulary.plain, from: start, &mask) }
        return mask
    }

    /// Whether the thread is inside a string, between two characters, where any text may follow and close it.
    private func isInsideAnyText(_ thread: Thread) -> Bool {
        switch thread.place {
        case .string(let node, let text):
            guard text.place == .inside, case .string(let string) = grammar.nodes[node] else { return false }
            let isUncounted = text.content.count < 0 || !string.isBounded
            return string.content == 0 && text.content.state == ByteAutomaton.start && isUncounted
        case .key(let key):
            guard key.content.declared.isEmpty, key.content.used.isEmpty else { return false }
            return isAnyKey(key, thread.parent)
        case .automaton, .words: return false
        }
    }

    /// Whether any text makes a key, except for those that are declared or used.
    private func isAnyKey(_ key: QuotedText<KeyContent>, _ parent: Frame?) -> Bool {
        guard key.place == .inside, let parent, let context = grammar.keyContext(parent) else { return false }
        return context.object.open?.isAnyText == true && key.content.open == ByteAutomaton.start
            && !context.progress.hasUnknownKey
    }

    private mutating func anyTextMask(of thread: Thread) -> ThreadMask {
        var mask = anyTextMask(anyEscape: thread)
        guard !grammar.escapesSlash else { return mask }
        for token in vocabulary.strings.slashed { mask.permitted.remove(token) }
        let slashed = Set(vocabulary.strings.slashed)
        mask.unjudged.removeAll(where: slashed.contains)
        return mask
    }

    private mutating func anyTextMask(anyEscape thread: Thread) -> ThreadMask {
        let strings = vocabulary.strings
        var mask = ThreadMask(permitted: strings.inside)
        let closed = automaton.next(
            automaton.state(of: Configuration(threads: [thread])), UInt8(ascii: "\""))
        guard closed >= 0 else { return mask }
        if automaton.isUnjudged(closed) {
            mask.unjudged += strings.closing.tokens
        } else {
            mask.permitted.formUnion(strings.closing)
        }
        walk(strings.remainders, from: closed, &mask)
        return mask
    }

    private mutating func walk(_ trie: TokenTrie, from start: Int32, _ mask: inout ThreadMask) {
        trie.walk(from: start, { automaton.next($0, $1) }) { token, state in
            if automaton.isUnjudged(state) { mask.unjudged.append(token) } else { mask.permitted.insert(token) }
        }
    }
}

/// The tokens that may come next for one thread.
struct ThreadMask {
    /// The tokens that are definitely permitted.
    var permitted: TokenMask
    /// Tokens that are permitted only if the value that they complete passes its evaluation.
    var unjudged: [Int32] = []
}

// MARK: - Plain tokens

extension TokenMasker {
    /// The plain tokens that fit inside the string at the thread's position, regardless of the stack below; nil if the
    /// thread is not inside such a string.
    private mutating func plainTokens(of thread: Thread) -> TokenMask? {
        switch thread.place {
        case .string(let node, let text):
            guard text.place == .inside, case .string(let string) = grammar.nodes[node], string.content != 0,
                !string.isBounded || text.content.count == TextContent.uncounted
            else { return nil }
            return content(ContentKey(automaton: string.content, state: text.content.state))
        case .key(let key): return plainTokens(ofKey: key, thread.parent)
        case .automaton, .words: return nil
        }
    }

    /// The plain tokens inside a key that is neither declared nor used.
    private mutating func plainTokens(ofKey key: QuotedText<KeyContent>, _ parent: Frame?) -> TokenMask? {
        if isAnyKey(key, parent) { return vocabulary.plainMask }
        guard key.place == .inside, key.content.declared.isEmpty, key.content.used.isEmpty, key.content.open >= 0,
            let parent, case .object(let object) = grammar.nodes[parent.node], let open = object.open, open.isEndless
        else { return nil }
        return content(ContentKey(automaton: open.automaton, state: key.content.open))
    }

    private mutating func content(_ key: ContentKey) -> TokenMask {
        if let known = contents[key] { return known }
        var mask = TokenMask(count: vocabulary.count)
        let automaton = grammar.automata[key.automaton]
        vocabulary.plain.walk(from: key.state, { automaton.next($0, $1) }, { token, _ in mask.insert(token) })
        contents[key] = mask
        return mask
    }
}
