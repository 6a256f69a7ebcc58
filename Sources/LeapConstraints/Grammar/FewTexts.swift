import LeapJSON

// A list of distinct items can run out of values if an item has few of them, such as booleans. These are enumerated
// while the list is read; if there are many, one is certain to be left.

extension ByteAutomaton {
    /// The texts that lead from a state to an accepting one; nil if there are many.
    func fewTexts(from state: StateID) -> [[UInt8]]? {
        var texts: [[UInt8]] = []
        var pending: [(state: StateID, text: [UInt8])] = [(state, [])]
        var steps = 0
        while let (state, text) = pending.popLast() {
            if accepting[Int(state)] { texts.append(text) }
            // A cycle means infinitely many texts, and ends the search by the number of steps.
            steps += 1
            guard texts.count <= Grammar.few, steps <= 32 * Grammar.few else { return nil }
            let bytes = nextBytes(state)
            for byte in UInt8.min...UInt8.max where bytes.contains(byte) {
                pending.append((next(state, byte), text + [byte]))
                guard pending.count <= 4 * Grammar.few else { return nil }
            }
        }
        return texts
    }
}

extension Grammar {
    /// More values than this are many.
    static let few = 64

    /// The values of a node; nil if there are many.
    func fewValues(of node: NodeID) -> [JSONValue]? {
        switch nodes[node] {
        case .automaton(let index): return automata[index].fewTexts(from: ByteAutomaton.start)?.compactMap(value)
        case .words(let words): return fewValues(of: words, words.all)
        case .choice(let parts):
            var values: [JSONValue] = []
            for part in parts {
                guard let more = fewValues(of: part), values.count + more.count <= Self.few else { return nil }
                values += more
            }
            return values
        case .string, .sequence, .repetition, .list, .object, .judged: return nil
        }
    }

    /// The words of a range, as values; nil if there are many.
    func fewValues(of words: SortedWords, _ range: Range<Int32>) -> [JSONValue]? {
        guard range.count <= Self.few else { return nil }
        return range.map { .string(String(decoding: words.words[Int($0)], as: UTF8.self)) }
    }

    /// The value that a text spells.
    func value(in text: some Collection<UInt8>) -> JSONValue? {
        switch spelling {
        case .json: try? JSONValue(parsingDistinctKeys: text)
        case .python: try? JSONValue(parsingDistinctKeys: PythonSpelling.json(text))
        }
    }
}
