/// The text of an object's key.
struct KeyContent: StringContent {
    /// The declared names that begin with the key's text so far.
    var declared: Range<Int32>
    /// The used open keys of this object that begin with the key's text so far: no key may occur twice.
    var used: Range<Int32>
    /// The number of bytes that these share with the key; 0 if there are none left.
    var depth: Int32 = 0
    /// The state of the open keys' automaton.
    var open: ByteAutomaton.StateID
    /// The key itself, for the list of used keys; nil while tokens are tried out.
    var text: Unhashed<[UInt8]?>

    struct Context {
        let object: ObjectNode
        let progress: ObjectProgress
        let grammar: Grammar
        /// The depth of the object's frame.
        let depth: Int
    }

    init(_ context: Context) {
        declared = context.object.names.all
        used = context.progress.used.all
        open = context.allowsOpen ? ByteAutomaton.start : ByteAutomaton.dead
        text = Unhashed([])
    }

    func appending(_ byte: UInt8, _ context: Context) -> KeyContent? {
        var next = self
        if !declared.isEmpty { next.declared = context.object.names.narrow(declared, depth: depth, byte: byte) }
        if !used.isEmpty { next.used = context.progress.used.narrow(used, depth: depth, byte: byte) }
        if next.declared.isEmpty { next.declared = 0..<0 }
        if next.used.isEmpty { next.used = 0..<0 }
        next.depth = next.declared.isEmpty && next.used.isEmpty ? 0 : depth + 1
        if open >= 0, let keys = context.object.open {
            next.open = context.grammar.automata[keys.automaton].next(open, byte)
            if next.open >= 0, !next.hasOpenKey(keys) { next.open = ByteAutomaton.dead }
        }
        next.text.value?.append(byte)
        return next.isAlive(context) ? next : nil
    }

    /// Whether there is an unused open key with this beginning.
    private func hasOpenKey(_ keys: OpenKeys) -> Bool {
        let count = keys.textCounts[Int(open)]
        guard count < .max else { return true }
        let claimed = keys.claimed[Int(declared.upperBound)] - keys.claimed[Int(declared.lowerBound)]
        return Int(count) > used.count + Int(claimed)
    }

    /// Whether there is a permitted key with this beginning; for the empty text, whether any key is permitted.
    func isAlive(_ context: Context) -> Bool {
        open >= 0 || declared.contains { context.allows(Int($0)) }
    }

    func isComplete(_ context: Context) -> Bool { value(context) != nil }

    func permitsEscape(_ context: Context) -> Bool {
        context.grammar.escapesFreely || open >= 0 || context.object.names.needEscape(declared, depth: depth)
    }

    func permitsEscapedSlash(_ context: Context) -> Bool { context.grammar.escapesSlash }

    /// The declared name that equals the key.
    func name(_ context: Context) -> Int? { context.object.names.complete(declared, depth: depth) }

    /// The node of the key's value; nil if the key cannot end here.
    func value(_ context: Context) -> NodeID? {
        if let name = name(context) { return context.allows(name) ? context.object.values[name] : nil }
        guard open >= 0, context.progress.used.complete(used, depth: depth) == nil,
            !context.progress.hasUnknownKey
        else { return nil }
        return context.object.open?.values[Int(open)]
    }
}

extension KeyContent.Context {
    /// Whether an optional key may come: not if the required ones need all that is left of `maxProperties`.
    private var allowsOptional: Bool {
        guard let maximum = object.maximum else { return true }
        return progress.count + progress.missing < maximum
    }

    /// Whether the declared key with this index may come.
    func allows(_ name: Int) -> Bool {
        guard !Bits.contains(progress.seen, name), let value = object.values[name] else { return false }
        guard object.order?.permits(name, from: progress.rank) ?? true else { return false }
        return (Bits.contains(object.required, name) || allowsOptional) && grammar.fits(value, depth: depth)
    }

    /// Whether an undeclared key may come.
    var allowsOpen: Bool {
        guard let open = object.open, allowsOptional, object.order == nil || progress.missing == 0 else {
            return false
        }
        guard open.available > progress.used.count else { return false }
        return open.distinctValues.allSatisfy { grammar.fits($0, depth: depth) }
    }
}
