/// Decides for each request which side answers.
///
/// A policy may abstain; then the next one in ``first(of:)`` is asked. If all abstain, the local model answers.
///
///     let policy = RoutingPolicy.first(of: [
///         .capabilities, .failures(for: .seconds(30)), .longPrompts(over: 2000, to: .remote), .tools(to: .remote),
///     ])
///     .firstToken(within: .seconds(3))
public struct RoutingPolicy: Sendable {
    private let decide: @Sendable (RoutingRequest) async -> RoutingDecision?
    /// The decision if this policy abstains and no other one is asked.
    private let byDefault: RoutingDecision

    /// Creates a policy from a function, which returns `nil` to abstain.
    public init(_ decide: @escaping @Sendable (RoutingRequest) async -> RoutingDecision?) {
        self.init(byDefault: .byDefault, decide)
    }

    private init(
        byDefault: RoutingDecision, _ decide: @escaping @Sendable (RoutingRequest) async -> RoutingDecision?
    ) {
        self.decide = decide
        self.byDefault = byDefault
    }

    /// Returns the decision for a request; `nil` if the policy abstains.
    public func decision(for request: RoutingRequest) async -> RoutingDecision? {
        await decide(request)
    }

    /// Returns the decision for a request, or the default one if the policy abstains.
    func finalDecision(for request: RoutingRequest) async -> RoutingDecision {
        await decide(request) ?? byDefault
    }
}

/// The side that answers a request, and what happens if it fails.
public struct RoutingDecision: Sendable, Hashable {
    /// The side that is asked first.
    public var side: HybridSide
    /// The reason, for logs.
    public var reason: String
    /// Whether the other side is asked if this one fails before its first token.
    public var hasFallback: Bool
    /// The time limit for the first token, after which the side counts as failed; `nil` for no limit.
    public var firstToken: Duration?

    /// Creates a decision.
    public init(_ side: HybridSide, reason: String, hasFallback: Bool = true, firstToken: Duration? = nil) {
        self.side = side
        self.reason = reason
        self.hasFallback = hasFallback
        self.firstToken = firstToken
    }

    /// The decision if all policies abstain.
    static let byDefault = RoutingDecision(.local, reason: "the local model is the default")
}

// MARK: - Combining

extension RoutingPolicy {
    /// Combines policies: the first one in order that does not abstain decides. If all abstain, what was changed about the
    /// last one applies to the default decision too.
    public static func first(of policies: [RoutingPolicy]) -> RoutingPolicy {
        RoutingPolicy(byDefault: policies.last?.byDefault ?? .byDefault) { request in
            for policy in policies {
                if let decision = await policy.decision(for: request) { return decision }
            }
            return nil
        }
    }

    /// Returns this policy with a time limit for the first token. If it is exceeded, the request is cancelled and the
    /// other side is asked instead.
    ///
    /// A function call counts from its first token, although it is delivered only when it is complete. For the local
    /// side, this is when the prompt has been read.
    public func firstToken(within limit: Duration) -> RoutingPolicy {
        changing { $0.firstToken = limit }
    }

    /// Returns this policy without a fallback: a failure is final.
    public func withoutFallback() -> RoutingPolicy {
        changing { $0.hasFallback = false }
    }

    /// Returns a policy with changed decisions, including the default one. It abstains where this one does.
    private func changing(_ change: @escaping @Sendable (inout RoutingDecision) -> Void) -> RoutingPolicy {
        var changedDefault = byDefault
        change(&changedDefault)
        return RoutingPolicy(byDefault: changedDefault) { [decide] request in
            guard var decision = await decide(request) else { return nil }
            change(&decision)
            return decision
        }
    }
}
