import LeapJSON
import OrderedCollections

/// Takes `$ref`, `allOf`, `anyOf` and `oneOf` apart: a schema becomes a list of alternatives, each a set of subschemas
/// that all hold.
///
/// Keywords of a set are merged later. A set is known by its members, so that recursive schemas lead back to sets that
/// are already compiled.
struct SchemaExpansion {
    typealias ID = SchemaDocument.ID

    /// One way to satisfy a schema.
    struct Alternative {
        /// The subschemas whose own keywords hold, as they are met.
        var members: [ID]
        /// Which branch of which `oneOf` was taken.
        var choices: [ID: Int]
    }

    static let chainLimit = 400
    private static let alternativeLimit = 1000
    /// Groups that hold for one value; each is one level of recursion.
    private static let groupLimit = 400

    private let handle: (ID) throws(ConstraintError) -> SchemaApplicators
    private var alternatives: [Alternative] = []
    private var steps = 0

    /// A subschema that has yet to be taken apart, and those through which it was reached without reading anything.
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

    private init(_ handle: @escaping (ID) throws(ConstraintError) -> SchemaApplicators) { self.handle = handle }

    /// The alternatives of subschemas that all hold; none when they exclude each other by `false`.
    static func alternatives(
        of ids: [ID], _ handle: @escaping (ID) throws(ConstraintError) -> SchemaApplicators
    ) throws(ConstraintError) -> [Alternative] {
        var expansion = SchemaExpansion(handle)
        try expansion.expand(ids.reversed().map { Pending($0, from: nil) }, Alternative(members: [], choices: [:]), [])
        return expansion.alternatives
    }

    private mutating func expand(
        _ pending: [Pending], _ alternative: Alternative, _ groups: [Group]
    ) throws(ConstraintError) {
        var (pending, alternative, groups) = (pending, alternative, groups)
        var members = Set(alternative.members)
        while let next = pending.popLast() {
            steps += 1
            let applicators = try handle(next.id)
            guard !next.leads(from: next.id) else {
                throw .schema(
                    pointer: applicators.pointer, keyword: "$ref", reason: "leads back to itself without end")
            }
            guard next.depth <= Self.chainLimit else {
                throw .tooLarge(what: "references in a row", limit: Self.chainLimit)
            }
            guard steps <= 100_000 else { throw .tooLarge(what: "steps through references", limit: 100_000) }
            if applicators.isFalse { return }
            guard members.insert(next.id).inserted else { continue }
            alternative.members.append(next.id)
            pending += applicators.all.reversed().map { Pending($0, from: next) }
            guard groups.count + applicators.groups.count <= Self.groupLimit else {
                throw .tooLarge(what: "'anyOf' and 'oneOf' of one value", limit: Self.groupLimit)
            }
            groups += applicators.groups.map {
                Group(id: $0.id, isExclusive: $0.isExclusive, branches: $0.branches, origin: next)
            }
        }
        guard let group = groups.popLast() else {
            guard alternatives.count < Self.alternativeLimit else {
                throw .tooLarge(what: "combinations of alternatives", limit: Self.alternativeLimit)
            }
            return alternatives.append(alternative)
        }
        for (index, branch) in group.branches.enumerated() {
            var chosen = alternative
            if group.isExclusive { chosen.choices[group.id] = index }
            try expand([Pending(branch, from: group.origin)], chosen, groups)
        }
    }
}

/// What one subschema demands of others on the same value.
struct SchemaApplicators {
    let pointer: String
    var isFalse = false
    /// Subschemas that hold as well.
    var all: [SchemaDocument.ID] = []
    /// Groups of which one branch holds at least, or exactly one.
    var groups: [(id: SchemaDocument.ID, isExclusive: Bool, branches: [SchemaDocument.ID])] = []
}
