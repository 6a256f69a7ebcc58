/// Advances threads by bytes.
///
/// Between bytes, every thread is inside a text: an automaton, a string or a key. When a byte completes the text, the
/// frame below is resumed, which enters further nodes until all threads are inside texts again. Nothing is entered that
/// cannot be completed, so no thread ever reaches a dead end.
struct Machine {
    let grammar: Grammar

    /// The configuration before the first byte.
    func start() -> Configuration {
        var closure = Closure(grammar, text: [])
        if grammar.fits(grammar.root, depth: 0) { closure.enter(grammar.root, parent: nil) }
        return closure.configuration
    }

    /// The configuration after one more byte; dead if the byte is not permitted.
    ///
    /// - Parameters:
    ///   - text: All bytes including this one, if the grammar evaluates the text; nil to try out a byte without it.
    ///   - work: Incremented by the number of steps between texts.
    func step(_ configuration: Configuration, _ byte: UInt8, text: [UInt8]?, work: inout Int) -> Configuration {
        var closure = Closure(grammar, text: text)
        for thread in configuration.threads {
            closure.follow(thread)
            step(thread, byte, &closure)
        }
        work += closure.stepCount
        return closure.configuration
    }

    private func step(_ thread: Thread, _ byte: UInt8, _ closure: inout Closure) {
        switch thread.place {
        case .automaton(let index, let state):
            let next = grammar.automata[index].next(state, byte)
            if next >= 0 { closure.reach(index, next, parent: thread.parent) }
        case .string(let node, let text):
            guard let context = grammar.textContext(node) else { return }
            switch text.step(byte, context) {
            case .dead: break
            case .inside(let text): closure.add(.string(node, text), thread.parent)
            case .closed: closure.resume(thread.parent)
            }
        case .words(let node, let text):
            guard case .words(let words) = grammar.nodes[node] else { return }
            let context = WordContent.Context(
                words: words, escapesFreely: grammar.escapesFreely, escapesSlash: grammar.escapesSlash)
            switch text.step(byte, context) {
            case .dead: break
            case .inside(let text): closure.add(.words(node, text), words, thread.parent)
            case .closed: closure.resume(thread.parent)
            }
        case .key(let key):
            guard let frame = thread.parent, let context = grammar.keyContext(frame) else { return }
            switch key.step(byte, context) {
            case .dead: break
            case .inside(let key): closure.add(.key(key), frame)
            case .closed(let key): closure.complete(key, context, frame)
            }
        }
    }
}

// MARK: - Bytes that are alike

extension Machine {
    /// Configurations of fewer threads are not worth the search for bytes that are alike.
    private static let manyThreads = 8
    /// The most states of automata for which bytes are compared.
    private static let fewStates = 16

    /// The bytes that advance all threads as `byte` does, if that is quickly found: all threads are inside of automata, and
    /// in few states of them.
    func twins(of byte: UInt8, in configuration: Configuration) -> [UInt8] {
        guard configuration.threads.count >= Self.manyThreads else { return [] }
        var places: [(automaton: Int, state: ByteAutomaton.StateID)] = []
        for thread in configuration.threads {
            guard case .automaton(let index, let state) = thread.place else { return [] }
            guard !places.contains(where: { $0 == (index, state) }) else { continue }
            guard places.count < Self.fewStates else { return [] }
            places.append((index, state))
        }
        return (UInt8.min...UInt8.max).filter { other in
            places.allSatisfy { place in
                let automaton = grammar.automata[place.automaton]
                return automaton.next(place.state, other) == automaton.next(place.state, byte)
            }
        }
    }
}

extension Grammar {
    @inline(__always)
    func textContext(_ node: NodeID) -> TextContent.Context? {
        guard case .string(let string) = nodes[node] else { return nil }
        return TextContent.Context(automaton: automata[string.content], string: string, escapesSlash: escapesSlash)
    }

    /// The permitted keys of the object in `frame`.
    func keyContext(_ frame: Frame) -> KeyContent.Context? {
        guard case .object(let object) = nodes[frame.node], case .object(let progress, _) = frame.progress else {
            return nil
        }
        return KeyContent.Context(object: object, progress: progress, grammar: self, depth: frame.depth)
    }
}
