/// Decides for each request which side answers.
///
/// A policy may have no opinion; then the next one in ``first(of:)`` is asked, and where none has, the local model
/// answers.
///
///     let policy = RoutingPolicy.first(of: [
///         .capabilities, .failures(for: .seconds(30)), .longPrompts(over: 2000, to: .remote), .tools(to: .remote),
///     ])
///     .firstToken(within: .seconds(3))
public struct RoutingPolicy: Sendable {
    private let decide: @Sendable (RoutingRequest) async -> RoutingDecision?

    /// Makes a policy of a function; `nil` is no opinion.
    public init(_ decide: @escaping @Sendable (RoutingRequest) async -> RoutingDecision?) {
        self.decide = decide
    }

    /// Who answers a request; `nil` is no opinion.
    public func decision(for request: RoutingRequest) async -> RoutingDecision? {
        await decide(request)
    }
}

/// Who answers a request, and what happens if that fails.
public struct RoutingDecision: Sendable, Hashable {
    /// Who is asked first.
    public var side: HybridSide
    /// Why, in words for logs.
    public var reason: String
    /// Whether the other side is asked where this one fails before its first token.
    public var hasFallback: Bool
    /// How long the first token may take, before this counts as a failure; `nil` is for ever.
    public var firstToken: Duration?

    /// Makes a decision.
    public init(_ side: HybridSide, reason: String, hasFallback: Bool = true, firstToken: Duration? = nil) {
        self.side = side
        self.reason = reason
        self.hasFallback = hasFallback
        self.firstToken = firstToken
    }

    /// The decision if no policy has an opinion.
    static let byDefault = RoutingDecision(.local, reason: "nothing speaks against the local model")
}

// MARK: - Combining

extension RoutingPolicy {
    /// The first opinion that one of some policies has, in order.
    public static func first(of policies: [RoutingPolicy]) -> RoutingPolicy {
        RoutingPolicy { request in
            for policy in policies {
                if let decision = await policy.decision(for: request) { return decision }
            }
            return nil
        }
    }

    /// The same, and where the first token takes longer, the other side is asked instead. The slow one is cancelled.
    public func firstToken(within limit: Duration) -> RoutingPolicy {
        changing { $0.firstToken = limit }
    }

    /// The same, but a failure is final.
    public func withoutFallback() -> RoutingPolicy {
        changing { $0.hasFallback = false }
    }

    /// The same with its decisions changed, that of having no opinion included.
    private func changing(_ change: @escaping @Sendable (inout RoutingDecision) -> Void) -> RoutingPolicy {
        RoutingPolicy { request in
            var decision = await self.decision(for: request) ?? .byDefault
            change(&decision)
            return decision
        }
    }
}
