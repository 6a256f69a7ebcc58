import Foundation

@testable import LeapHub

/// Checks untrusted URLs against the policy.
struct URLPolicyProbe {
    func objection(_ target: String, from source: String, trusted: [String] = []) -> String? {
        guard let target = URL(string: target), let source = URL(string: source) else { return "not a URL" }
        return URLPolicy(trusted: trusted.compactMap { URL(string: $0) }).objection(to: target, from: source)
    }
}
