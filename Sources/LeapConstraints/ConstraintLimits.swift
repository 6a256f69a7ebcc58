/// Limits on the size of a constraint, so that hostile ones cost at most seconds and megabytes.
public struct ConstraintLimits: Sendable, Hashable {
    /// Nodes of the grammar.
    public var nodes: Int
    /// States of all automata together.
    public var states: Int
    /// The deepest permitted nesting of output.
    public var depth: Int
    /// The largest minimum of characters, items or members that a schema may require; `nil` is no limit. Maxima may be
    /// any number, because they cost nothing.
    public var demands: Int?

    /// Limits far beyond any ordinary schema.
    public static let standard = ConstraintLimits()

    /// Makes limits.
    public init(nodes: Int = 200_000, states: Int = 200_000, depth: Int = 100, demands: Int? = nil) {
        self.nodes = nodes
        self.states = states
        self.depth = depth
        self.demands = demands
    }
}
