extension RoutingPolicy {
    /// Always chooses one side, without a fallback. With `.always(.local)`, nothing leaves this machine.
    public static func always(_ side: HybridSide) -> RoutingPolicy {
        RoutingPolicy { _ in
            RoutingDecision(side, reason: "the \(side.rawValue) side always answers", hasFallback: false)
        }
    }

    /// Chooses one side; if it fails before its first token, the other one is asked.
    public static func preferring(_ side: HybridSide) -> RoutingPolicy {
        RoutingPolicy { _ in RoutingDecision(side, reason: "the \(side.rawValue) side is preferred") }
    }

    /// Chooses the side that has the needed capabilities if the other one lacks some.
    public static var capabilities: RoutingPolicy {
        RoutingPolicy { request in
            let able = HybridSide.allCases.filter { request.lacks($0).isEmpty }
            guard able.count == 1, let side = able.first else { return nil }
            return RoutingDecision(
                side, reason: "the \(side.other.rawValue) side cannot handle \(request.lacks(side.other))")
        }
    }

    /// Chooses a side for prompts with more than `limit` tokens, as counted by the local model, and for prompts that it
    /// cannot count. As in ``RoutingRequest/promptTokens()``, functions and a schema in the prompt are not counted.
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

    /// Chooses a side for conversations with registered functions.
    public static func tools(to side: HybridSide) -> RoutingPolicy {
        RoutingPolicy { request in
            guard request.needs.contains(.tools) else { return nil }
            return RoutingDecision(side, reason: "the conversation has functions")
        }
    }

    /// Avoids a side that has failed recently, and chooses the other one.
    ///
    /// - Parameters:
    ///   - count: The number of failures since the last success from which a side is avoided.
    ///   - time: How long after its last failure the side is avoided.
    public static func failures(_ count: Int = 1, for time: Duration) -> RoutingPolicy {
        RoutingPolicy { request in
            let failing = HybridSide.allCases.filter { side in
                guard let failures = request.failures[side] else { return false }
                return failures.count >= count && failures.last.duration(to: .now) < time
            }
            guard failing.count == 1, let side = failing.first else { return nil }
            return RoutingDecision(side.other, reason: "the \(side.rawValue) side failed recently")
        }
    }
}
