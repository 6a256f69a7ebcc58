/// How large a constraint may become, so that hostile ones cost seconds and megabytes at most.
public struct ConstraintLimits: Sendable, Hashable {
    /// Nodes of the grammar.
    public var nodes: Int
    /// States of all automata together.
    public var states: Int
    /// The deepest nesting that output may have.
    public var depth: Int
    /// The most characters, items or members that a schema may demand at least; `nil` is no limit. What it permits at most may be
    /// any number: that costs nothing.
    public var demands: Int?

    /// Limits that no ordinary schema comes near.
    public static let standard = ConstraintLimits()

    /// Makes limits.
    public init(nodes: Int = 200_000, states: Int = 200_000, depth: Int = 100, demands: Int? = nil) {
        self.nodes = nodes
        self.states = states
        self.depth = depth
        self.demands = demands
    }
}
