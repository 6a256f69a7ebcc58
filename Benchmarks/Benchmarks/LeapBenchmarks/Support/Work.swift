import Benchmark

/// What one call reads, computes or makes: shown as rates beside its time, because those have limits that a machine's
/// data sheet knows.
struct Work {
    /// Bytes of weights, keys and values, or text that are read.
    var bytes = 0
    /// Multiplications, each with an addition.
    var multiplyAdds = 0
    /// Tokens that go in or come out.
    var tokens = 0

    /// The metrics of all that is not zero.
    var metrics: [BenchmarkMetric] { rates(in: .seconds(1)).map(\.metric) }

    /// How much was done per second; 10⁶ is a million, not 2²⁰.
    func rates(in time: Duration) -> [(metric: BenchmarkMetric, value: Int)] {
        let seconds = time / .seconds(1)
        let all: [(BenchmarkMetric, Double)] = [
            (.megabytesPerSecond, Double(bytes) / 1e6), (.megaMultiplyAddsPerSecond, Double(multiplyAdds) / 1e6),
            (.tokensPerSecond, Double(tokens)),
        ]
        return all.filter { $0.1 > 0 }.map { ($0.0, Int(rounding: $0.1 / seconds)) }
    }
}

extension BenchmarkMetric {
    static let megabytesPerSecond = rate("MB/s")
    static let megaMultiplyAddsPerSecond = rate("MMAC/s")
    static let tokensPerSecond = rate("tokens/s")

    private static func rate(_ name: String) -> BenchmarkMetric {
        .custom(name, polarity: .prefersLarger, useScalingFactor: false)
    }
}

extension Int {
    /// The nearest integer; the largest for infinity.
    fileprivate init(rounding value: Double) {
        self = Int(exactly: value.rounded()) ?? .max
    }
}
