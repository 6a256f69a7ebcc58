extension RoutingPolicy {
    /// One side, always: where it fails, nobody else is asked, so that with `.always(.local)` nothing leaves this machine.
    public static func always(_ side: HybridSide) -> RoutingPolicy {
        RoutingPolicy { _ in
            RoutingDecision(side, reason: "the \(side.rawValue) side always answers", hasFallback: false)
        }
    }

    /// One side, and where it fails before its first token, the other one.
    public static func preferring(_ side: HybridSide) -> RoutingPolicy {
        RoutingPolicy { _ in RoutingDecision(side, reason: "the \(side.rawValue) side is preferred") }
    }

    /// The side that can do what is needed, where the other one cannot.
    public static var capabilities: RoutingPolicy {
        RoutingPolicy { request in
            let able = HybridSide.allCases.filter { request.lacks($0).isEmpty }
            guard able.count == 1, let side = able.first else { return nil }
            return RoutingDecision(
                side, reason: "the \(side.other.rawValue) side cannot handle \(request.lacks(side.other))")
        }
    }

    /// A side for prompts of more than some tokens, as the local model counts them. Prompts that it cannot count go there
    /// as well.
    public static func longPrompts(over limit: Int, to side: HybridSide) -> RoutingPolicy {
        RoutingPolicy { request in
            do {
                let count = try await request.promptTokens()
                guard count > limit else { return nil }
                return RoutingDecision(side, reason: "the prompt has \(count) tokens, more than \(limit)")
            } catch {
                return RoutingDecision(side, reason: "the prompt's tokens cannot be counted: \(error)")
            }
        }
    }

    /// A side for conversations in which functions can be called.
    public static func tools(to side: HybridSide) -> RoutingPolicy {
        RoutingPolicy { request in
            guard request.needs.contains(.tools) else { return nil }
            return RoutingDecision(side, reason: "functions can be called")
        }
    }

    /// The other side, while one has failed lately.
    ///
    /// - Parameters:
    ///   - count: How often it must have failed since it last succeeded.
    ///   - time: For how long after its last failure it is not asked.
    public static func failures(_ count: Int = 1, for time: Duration) -> RoutingPolicy {
        RoutingPolicy { request in
            let failing = HybridSide.allCases.filter { side in
                guard let failures = request.failures[side] else { return false }
                return failures.count >= count && failures.last.duration(to: .now) < time
            }
            guard failing.count == 1, let side = failing.first else { return nil }
            return RoutingDecision(side.other, reason: "the \(side.rawValue) side failed lately")
        }
    }
}
