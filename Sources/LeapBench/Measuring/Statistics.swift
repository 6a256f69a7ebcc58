/// Statistics of a set of repeated measurements.
struct Statistics: Hashable {
    private let sorted: [Double]

    /// Number of samples.
    var count: Int { sorted.count }

    /// The arithmetic mean; 0 without samples.
    let mean: Double
    /// The sample standard deviation, `√(Σ (x − mean)² / (n − 1))`; 0 for fewer than two samples.
    let standardDeviation: Double

    init(_ samples: [Double]) {
        sorted = samples.sorted()
        let mean = samples.isEmpty ? 0 : samples.reduce(0, +) / Double(samples.count)
        let squares = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        self.mean = mean
        standardDeviation = samples.count < 2 ? 0 : (squares / Double(samples.count - 1)).squareRoot()
    }

    /// Half of the samples are below.
    var median: Double { quantile(0.5) }

    /// The quantile: the value below which the given fraction of the samples lies, by linear interpolation.
    /// Source: Hyndman and Fan 1996, "Sample quantiles in statistical packages", definition 7.
    func quantile(_ share: Double) -> Double {
        guard let last = sorted.indices.last else { return 0 }
        let position = min(max(share, 0), 1) * Double(last)
        let lower = Int(position)
        let upper = min(lower + 1, last)
        return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
    }
}
