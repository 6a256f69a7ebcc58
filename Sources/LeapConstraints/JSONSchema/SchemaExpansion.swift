import LeapJSON
import OrderedCollections

/// Expands `$ref`, `allOf`, `anyOf` and `oneOf`: a schema becomes a list of alternatives, each a set of subschemas that
/// hold jointly.
///
/// Keywords of a set are merged later. A set is identified by its members, so that recursive schemas lead back to sets
/// that are already compiled.
struct SchemaExpansion {
    typealias ID = SchemaDocument.ID

    /// One way to satisfy a schema.
    struct Alternative {
        /// The subschemas whose own keywords hold, in the order in which they are reached.
        var members: [ID]
        /// Which branch of which `oneOf` was taken.
        var choices: [ID: Int]
    }

    static let chainLimit = 400
    private static let alternativeLimit = 1000
    /// The most groups that may apply to one value; each is one level of recursion.
    private static let groupLimit = 400
    private static let stepLimit = 100_000

    typealias Handle = (ID) throws(ConstraintError) -> SchemaApplicators

    private let handle: Handle
    /// Cheap facts about a subschema, see ``SchemaFacts``.
    private let facts: (ID) -> SchemaFacts
    private var mode = Mode.dropping
    private var alternatives: [Alternative] = []
    private var steps = 0
    /// Whether any alternative was dropped, and whether there are conditions.
    private var hasDropped = false
    private var hasConditions = false

    private enum Mode {
        /// Alternatives with an obvious contradiction are dropped.
        case dropping
        /// All alternatives are kept, so that the contradiction can be reported.
        case complete
        /// Conditions are left to the evaluation of complete values.
        case judging
    }

    /// A subschema that has yet to be expanded, and those through which it was reached without reading anything.
    private final class Pending {
        let id: ID
        let origin: Pending?
        let depth: Int

        init(_ id: ID, from origin: Pending?) {
            self.id = id
            self.origin = origin
            depth = (origin?.depth ?? 0) + 1
        }

        func leads(from id: ID) -> Bool {
            var current = origin
            while let pending = current {
                if pending.id == id { return true }
                current = pending.origin
            }
            return false
        }
    }

    private struct Group {
        let id: ID
        let isExclusive: Bool
        let branches: [ID]
        let origin: Pending
    }

    /// The alternatives of a conjunction of subschemas; none if they exclude each other by `false`.
    ///
    /// Alternatives multiply, so contradictory combinations are dropped as early as possible. If too many remain, the
    /// conditions are evaluated on complete values instead.
    static func alternatives(
        of ids: [ID], facts: @escaping (ID) -> SchemaFacts, _ handle: @escaping Handle
    ) throws(ConstraintError) -> [Alternative] {
        var expansion = SchemaExpansion(handle: handle, facts: facts)
        do { try expansion.run(ids, .dropping) } catch {
            guard case .tooLarge = error, expansion.hasConditions else { throw error }
            try expansion.run(ids, .judging)
        }
        if expansion.alternatives.isEmpty, expansion.hasDropped { try expansion.run(ids, .complete) }
        return expansion.alternatives
    }

    private init(handle: @escaping Handle, facts: @escaping (ID) -> SchemaFacts) {
        self.handle = handle
        self.facts = facts
    }

    private mutating func run(_ ids: [ID], _ mode: Mode) throws(ConstraintError) {
        (self.mode, alternatives, steps, hasDropped) = (mode, [], 0, false)
        try expand(ids.reversed().map { Pending($0, from: nil) }, Alternative(members: [], choices: [:]), [], nil)
    }

    /// - Parameter known: The combined facts of the members so far; nil before the first choice, when they are not
    ///   needed.
    private mutating func expand(
        _ pending: [Pending], _ alternative: Alternative, _ groups: [Group], _ known: SchemaFacts?
    ) throws(ConstraintError) {
        var (pending, alternative, groups, known) = (pending, alternative, groups, known)
        var members = Set(alternative.members)
        while let next = pending.popLast() {
            let applicators = try follow(next)
            if applicators.isFalse { return }
            guard members.insert(next.id).inserted else { continue }
            alternative.members.append(next.id)
            if known?.add(facts(next.id)) == false {
                hasDropped = true
                return
            }
            let chosen = applicators.groups.filter { mode != .judging || $0.judgement == nil }
            hasConditions = hasConditions || chosen.contains { $0.judgement != nil }
            let judged = mode == .judging ? applicators.groups.compactMap(\.judgement) : []
            pending += (applicators.all + judged).reversed().map { Pending($0, from: next) }
            guard groups.count + chosen.count <= Self.groupLimit else {
                throw .tooLarge(what: "'anyOf' and 'oneOf' groups for one value", limit: Self.groupLimit)
            }
            groups += chosen.map {
                Group(id: $0.id, isExclusive: $0.isExclusive, branches: $0.branches, origin: next)
            }
        }
        try choose(alternative, groups, known)
    }

    /// The applicators of a subschema that is still to be expanded.
    ///
    /// - Throws: If it was reached from itself, or there are too many of them.
    private mutating func follow(_ next: Pending) throws(ConstraintError) -> SchemaApplicators {
        steps += 1
        let applicators = try handle(next.id)
        guard !next.leads(from: next.id) else {
            throw .schema(
                pointer: applicators.pointer, keyword: "$ref", reason: "refers to itself in an infinite loop")
        }
        guard next.depth <= Self.chainLimit else {
            throw .tooLarge(what: "consecutive references", limit: Self.chainLimit)
        }
        guard steps <= Self.stepLimit else {
            throw .tooLarge(what: "steps to resolve references", limit: Self.stepLimit)
        }
        return applicators
    }

    /// Takes each branch of the last group in turn, or notes the alternative if there is no group left.
    private mutating func choose(
        _ alternative: Alternative, _ groups: [Group], _ known: SchemaFacts?
    ) throws(ConstraintError) {
        var (groups, known) = (groups, known)
        guard let group = groups.popLast() else {
            guard alternatives.count < Self.alternativeLimit else {
                throw .tooLarge(what: "combinations of alternatives", limit: Self.alternativeLimit)
            }
            return alternatives.append(alternative)
        }
        // A single choice has no others to contradict.
        if mode != .complete, known == nil, !groups.isEmpty {
            known = SchemaFacts()
            for id in alternative.members { _ = known?.add(facts(id)) }
        }
        for (index, branch) in group.branches.enumerated() {
            var chosen = alternative
            if group.isExclusive { chosen.choices[group.id] = index }
            try expand([Pending(branch, from: group.origin)], chosen, groups, known)
        }
    }
}

/// The other subschemas that a subschema applies to the same value.
struct SchemaApplicators {
    let pointer: String
    var isFalse = false
    /// Subschemas that must hold too.
    var all: [SchemaDocument.ID] = []
    /// Groups of which at least one branch, or exactly one, holds.
    var groups: [Group] = []

    struct Group {
        let id: SchemaDocument.ID
        var isExclusive = false
        var branches: [SchemaDocument.ID]
        /// For conditions: a subschema that evaluates complete values by them instead.
        var judgement: SchemaDocument.ID?
    }
}
