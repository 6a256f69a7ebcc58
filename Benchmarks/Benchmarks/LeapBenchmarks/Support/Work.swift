import Benchmark

/// The work of one call: shown as rates beside its time, because rates can be compared with the limits in a machine's
/// data sheet.
struct Work {
    /// Bytes read: of weights, keys and values, or text.
    var bytes = 0
    /// Multiply-adds.
    var multiplyAdds = 0
    /// Tokens processed or generated.
    var tokens = 0

    /// The metrics of all non-zero fields.
    var metrics: [BenchmarkMetric] { rates(in: .seconds(1)).map(\.metric) }

    /// The work per second; a mega is 10⁶, not 2²⁰.
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
