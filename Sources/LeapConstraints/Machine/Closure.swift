import LeapJSON

/// The epsilon closure: enters nodes and resumes frames until every thread is inside a text after a byte.
struct Closure {
    let grammar: Grammar
    /// All bytes so far, if something is evaluated on them; nil while tokens are tried out.
    private let text: [UInt8]?
    private(set) var configuration = Configuration()
    /// The configuration's threads, once they are too many to compare them one by one.
    private var threads: Set<Thread> = []
    private static let fewThreads = 16

    /// Whether the current path has deferred an evaluation.
    private var isUnjudged = false

    /// One step on the way from one text to the next.
    private enum Step: Hashable {
        case enter(NodeID, parent: Frame?, isUnjudged: Bool)
        case resume(Frame?, isUnjudged: Bool)
    }

    /// The number of steps since the last byte.
    private(set) var stepCount = 0
    /// The steps taken, except for the first ones. None is taken twice: where parts are nullable, paths meet again, so
    /// their number would double with every such part, and loops that read no byte would never end.
    private var done: Set<Step> = []
    /// Deferred steps, which would otherwise recurse too deeply.
    private var waiting: [Step] = []
    private var depth = 0

    /// The number of first steps that are not recorded, which is enough for ordinary grammars.
    private static let ordinaryCount = 64
    /// The number of steps after which further paths are dropped, as when there are more than
    /// ``Configuration/threadLimit``.
    private static let countLimit = 1 << 14
    private static let depthLimit = 100

    init(_ grammar: Grammar, text: [UInt8]?) {
        self.grammar = grammar
        self.text = text
    }

    /// Continues on the path of another thread.
    mutating func follow(_ thread: Thread) { isUnjudged = thread.isUnjudged }

    /// Ends a step. At the end of the outermost step, the deferred ones are run.
    private mutating func end() {
        guard depth == 1 else {
            depth -= 1
            return
        }
        while let step = waiting.popLast() {
            switch step {
            case .enter(let node, let parent, let isUnjudged):
                self.isUnjudged = isUnjudged
                begin(node, parent: parent)
            case .resume(let frame, let isUnjudged):
                self.isUnjudged = isUnjudged
                proceed(frame)
            }
        }
        depth = 0
    }

    /// Whether to take a step beyond the first ones now. If not, it was taken before or is deferred.
    private mutating func isDue(_ step: Step) -> Bool {
        guard stepCount <= Self.countLimit || configuration.isDead, done.insert(step).inserted else { return false }
        guard depth < Self.depthLimit else {
            waiting.append(step)
            return false
        }
        return true
    }

    mutating func add(_ place: Thread.Place, _ parent: Frame?) {
        let count = configuration.threads.count
        guard count < Configuration.threadLimit else { return }
        let thread = Thread(place: place, parent: parent, isUnjudged: isUnjudged)
        if count < Self.fewThreads {
            guard !configuration.threads.contains(thread) else { return }
        } else {
            if threads.isEmpty { threads = Set(configuration.threads) }
            guard threads.insert(thread).inserted else { return }
        }
        configuration.threads.append(thread)
    }

    /// Adds a text that is one of several words.
    mutating func add(_ place: Thread.Place, _ words: SortedWords, _ parent: Frame?) {
        guard case .words(_, let text) = place else { return }
        add(place, parent) { grammar, _ in grammar.fewValues(of: words, text.content.range) }
    }

    /// Handles an automaton's new state: it may continue, and it may be complete.
    mutating func reach(_ index: Int, _ state: ByteAutomaton.StateID, parent: Frame?) {
        let automaton = grammar.automata[index]
        if automaton.hasTransitions[Int(state)] {
            add(.automaton(index, state), parent) { grammar, begun in
                automaton.fewTexts(from: state)?.compactMap { $0.isEmpty ? nil : grammar.value(in: begun + $0) }
            }
        }
        if automaton.accepting[Int(state)] { resume(parent) }
    }

    /// Enters a node on top of a stack.
    mutating func enter(_ node: NodeID, parent: Frame?) {
        stepCount += 1
        if stepCount > Self.ordinaryCount, !isDue(.enter(node, parent: parent, isUnjudged: isUnjudged)) { return }
        depth += 1
        begin(node, parent: parent)
        end()
    }

    private mutating func begin(_ node: NodeID, parent: Frame?) {
        switch grammar.nodes[node] {
        case .automaton(let index): reach(index, ByteAutomaton.start, parent: parent)
        case .string: add(.string(node, QuotedText(content: TextContent())), parent)
        case .words(let words): add(.words(node, QuotedText(content: WordContent(range: words.all))), words, parent)
        case .sequence(let parts): enterPart(0, of: parts, node, parent)
        case .choice(let parts):
            for part in parts where grammar.fits(part, depth: parent?.depth ?? 0) { enter(part, parent: parent) }
        case .repetition(let repetition): round(after: 0, of: repetition, node, parent)
        case .list(let list):
            enter(list.punctuation.openList, parent: Frame(node, .list(count: 0, phase: .open), parent: parent))
        case .object(let object):
            let progress = ObjectProgress(object)
            enter(object.opening, parent: Frame(node, .object(progress, phase: .open), parent: parent))
        case .judged(let body, _):
            enter(body, parent: Frame(node, .judged(start: Unhashed(text?.count ?? 0)), parent: parent))
        }
    }

    /// Called when the text on top of `frame` is complete; nil if everything is.
    mutating func resume(_ frame: Frame?) {
        stepCount += 1
        if stepCount > Self.ordinaryCount, !isDue(.resume(frame, isUnjudged: isUnjudged)) { return }
        depth += 1
        proceed(frame)
        end()
    }

    private mutating func proceed(_ frame: Frame?) {
        guard let frame else {
            configuration.acceptsEnd = true
            if !isUnjudged { configuration.surelyAcceptsEnd = true }
            return
        }
        switch (grammar.nodes[frame.node], frame.progress) {
        case (.sequence(let parts), .sequence(let next)): enterPart(next, of: parts, frame.node, frame.parent)
        case (.repetition(let repetition), .repetition(let count)):
            round(after: repetition.saturated(count + 1), of: repetition, frame.node, frame.parent)
        case (.list(let list), .list(let count, let phase, let contained, let read)):
            resume(list, count, phase, contained, read.value, frame)
        case (.object(let object), .object(let progress, let phase)): resume(object, progress, phase, frame)
        case (.judged(_, let checks), .judged(let start)):
            let wasUnjudged = isUnjudged
            if accepts(checks, from: start.value) { resume(frame.parent) }
            isUnjudged = wasUnjudged
        default: break  // A frame's progress always matches its node's kind.
        }
    }
}

// MARK: - Sequences and repetitions

extension Closure {
    /// The last part needs no frame of its own (tail call): its continuation is that of the sequence.
    private mutating func enterPart(_ index: Int, of parts: [NodeID], _ node: NodeID, _ parent: Frame?) {
        guard index < parts.count else { return resume(parent) }
        let isLast = index == parts.count - 1
        enter(parts[index], parent: isLast ? parent : Frame(node, .sequence(next: index + 1), parent: parent))
    }

    private mutating func round(after count: Int, of repetition: RepetitionNode, _ node: NodeID, _ parent: Frame?) {
        if count >= repetition.minimum { resume(parent) }
        if let maximum = repetition.maximum, count >= maximum { return }
        guard grammar.fits(repetition.body, depth: (parent?.depth ?? 0) + 1) else { return }
        enter(repetition.body, parent: Frame(node, .repetition(count: count), parent: parent))
    }
}

// MARK: - Lists

extension Closure {
    private mutating func resume(
        _ list: ListNode, _ count: Int, _ phase: ListPhase, _ contained: Int, _ read: ReadItems?, _ frame: Frame
    ) {
        var read = read
        func with(_ phase: ListPhase, _ count: Int, _ contained: Int) -> Frame {
            Frame(
                frame.node, .list(count: count, phase: phase, contained: contained, read: Unhashed(read)),
                parent: frame.parent)
        }
        let missing = (list.contained?.minimum ?? 0) - contained
        switch phase {
        case .open:
            if list.minimum == 0, missing <= 0 { enter(list.punctuation.closeList, parent: frame.parent) }
            if permits(item: 0, of: list, contained, frame) {
                enter(list.punctuation.space, parent: with(.space, 0, 0))
            }
        case .space:
            guard let item = list.contained?.limit?.others ?? list.item(count) else { return }
            if list.isUnique { read = ReadItems(values: read?.values ?? [], start: text?.count ?? 0) }
            // An item may be one of the required ones. It may be another one only if there is still room for the
            // required ones.
            if contained < list.contained?.counted ?? 0, let wanted = list.contained?.item(count),
                grammar.fits(wanted, depth: frame.depth)
            {
                enter(wanted, parent: with(.item, count, contained + 1))
            }
            if grammar.fits(item, depth: frame.depth), hasPlaces(missing, from: count + 1, of: list, frame) {
                enter(item, parent: with(.item, count, contained))
            }
        case .item:
            let wasUnjudged = isUnjudged
            defer { isUnjudged = wasUnjudged }
            if list.isUnique, !isNew(&read) { return }
            if count + 1 >= list.minimum, missing <= 0 { enter(list.punctuation.closeList, parent: frame.parent) }
            let next = list.saturated(count + 1)
            if permits(item: next, of: list, contained, frame), hasOther(item: next, of: list, than: read) {
                enter(list.punctuation.comma, parent: with(.space, next, contained))
            }
        }
    }

    /// Whether there are enough positions from `index` on for `count` of the required items.
    private func hasPlaces(_ count: Int, from index: Int, of list: ListNode, _ frame: Frame) -> Bool {
        guard count > 0, let contained = list.contained else { return true }
        return contained.places(count, from: index, below: list.maximum) {
            grammar.fits($0, depth: frame.depth)
        } != nil
    }

    private func permits(item index: Int, of list: ListNode, _ contained: Int, _ frame: Frame) -> Bool {
        if let maximum = list.maximum, index >= maximum { return false }
        if let (maximum, others) = list.contained?.limit, contained >= maximum {
            return grammar.fits(others, depth: frame.depth)
        }
        return list.item(index).map { grammar.fits($0, depth: frame.depth) } ?? false
    }
}

// MARK: - Lists of distinct items

extension Closure {
    /// Whether the completed item differs from all items before it, to which it is then added.
    private mutating func isNew(_ read: inout ReadItems?) -> Bool {
        guard let text, let start = read?.start else {
            isUnjudged = true
            return true
        }
        guard let value = grammar.value(in: text[start...]) else { return false }
        return read?.values.insert(JSONEquality(value)).inserted ?? false
    }

    /// Whether there is a value for an item that differs from all items before it.
    private mutating func hasOther(item index: Int, of list: ListNode, than read: ReadItems?) -> Bool {
        guard list.isUnique, let values = list.item(index).flatMap(grammar.fewValues) else { return true }
        guard text != nil, let read else {
            isUnjudged = true
            return true
        }
        return values.contains { !read.values.contains(JSONEquality($0)) }
    }

    /// Adds a position inside a text. Inside an item of a list of distinct items, only if the item can still become
    /// different from those before it.
    ///
    /// - Parameter values: The values that an item with this beginning can have; nil if there are many.
    private mutating func add(
        _ place: Thread.Place, _ parent: Frame?, values: (Grammar, _ begun: ArraySlice<UInt8>) -> [JSONValue]?
    ) {
        guard let parent, case .list(let list) = grammar.nodes[parent.node], list.isUnique,
            case .list(_, .item, _, let read) = parent.progress
        else { return add(place, parent) }
        let begun = text.flatMap { text in read.value.map { text[$0.start...] } }
        guard let values = values(grammar, begun ?? []) else { return add(place, parent) }
        guard begun != nil, let read = read.value else {
            let wasUnjudged = isUnjudged
            isUnjudged = true
            add(place, parent)
            isUnjudged = wasUnjudged
            return
        }
        if values.contains(where: { !read.values.contains(JSONEquality($0)) }) { add(place, parent) }
    }
}

// MARK: - Evaluations

extension Closure {
    /// Whether the value from `start` on is accepted; deferred while tokens are tried out.
    private mutating func accepts(_ checks: [CheckID], from start: Int) -> Bool {
        guard let text else {
            isUnjudged = true
            return true
        }
        guard let value = grammar.value(in: text[start...]) else { return false }
        return checks.allSatisfy { grammar.checks[$0.document].accept(value, $0.schema) }
    }
}

// MARK: - Objects

extension Closure {
    private mutating func resume(
        _ object: ObjectNode, _ progress: ObjectProgress, _ phase: ObjectPhase, _ frame: Frame
    ) {
        func with(_ phase: ObjectPhase) -> Frame {
            Frame(frame.node, .object(progress, phase: phase), parent: frame.parent)
        }
        switch phase {
        case .open, .value:
            if progress.missing == 0, progress.count >= object.minimum {
                enter(object.closing, parent: frame.parent)
            }
            guard let context = grammar.keyContext(frame), KeyContent(context).isAlive(context) else { return }
            enter(phase == .open ? object.punctuation.space : object.punctuation.comma, parent: with(.space))
        case .space:
            let frame = with(.key)
            guard let context = grammar.keyContext(frame) else { return }
            add(.key(QuotedText(content: KeyContent(context))), frame)
        case .colon(let value): enter(value, parent: with(.value))
        case .key: break  // A key is completed by its text.
        }
    }

    /// Handles a key's closing quote.
    mutating func complete(_ key: KeyContent, _ context: KeyContent.Context, _ frame: Frame) {
        guard let value = key.value(context) else { return }
        var progress = context.progress
        progress.count = context.object.saturated(progress.count + 1)
        let name = key.name(context)
        if let order = context.object.order { progress.rank = name.map { order.ranks[$0] + 1 } ?? order.ranks.count }
        if let name {
            if Bits.contains(context.object.required, name) { progress.missing -= 1 }
            Bits.insert(name, &progress.seen)
        } else if let bytes = key.text.value {
            progress.used.insert(bytes)
        } else {
            progress.hasUnknownKey = true
        }
        if context.object.isArray {
            return resume(Frame(frame.node, .object(progress, phase: .value), parent: frame.parent))
        }
        let frame = Frame(frame.node, .object(progress, phase: .colon(value: value)), parent: frame.parent)
        enter(context.object.punctuation.colon, parent: frame)
    }
}
