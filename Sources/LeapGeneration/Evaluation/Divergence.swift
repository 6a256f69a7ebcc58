#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How far a model's probabilities are from those of another one, the base, at the scored places of a text.
///
/// With the probabilities p of the model and q of the base, of all tokens at a place the Kullback-Leibler divergence
/// Σ q·(log q − log p), and of the text's own token Δp = p − q. Statistics and their names are llama.cpp's.
package struct Divergence: Sendable {
    private var model = Moments()
    private var base = Moments()
    private var product = 0.0
    /// Divergences and differences of probabilities, place by place.
    private var divergences: [Float] = []
    private var differences: [Float] = []
    private var agreements = 0

    /// What is less likely by the base than e⁻¹⁶ takes no part: the file does not say how likely it is.
    private static let leastLogProbability: Float = -16

    package init() {}

    package var count: Int { divergences.count }

    /// Adds a place.
    ///
    /// - Parameters:
    ///   - row: The model's logits.
    ///   - base: The base's log-probabilities.
    ///   - target: The token that the text has there.
    package mutating func add(_ row: UnsafeBufferPointer<Float>, _ base: LogProbabilityFile.Row, _ target: Int32) {
        let place = Place(row, base, target)
        model.add(place.loss)
        self.base.add(place.baseLoss)
        product += place.loss * place.baseLoss
        divergences.append(Float(place.divergence))
        differences.append(Float(exp(-place.loss) - exp(-place.baseLoss)))
        if place.agrees { agreements += 1 }
    }

    /// The results for one position.
    private struct Place {
        let loss: Double
        let baseLoss: Double
        let divergence: Double
        /// Whether both find the same token the most likely.
        let agrees: Bool

        init(_ row: UnsafeBufferPointer<Float>, _ base: LogProbabilityFile.Row, _ target: Int32) {
            let softmax = LogSoftmax(row)
            loss = -softmax[row, target]
            baseLoss = -Double(base[Int(target)])
            var (sum, largest, place) = (0.0, -Float.infinity, 0)
            for token in row.indices {
                let expected = base[token]
                if expected > largest { (largest, place) = (expected, token) }
                guard expected > Divergence.leastLogProbability else { continue }
                let found = Double(row[token]) - Double(softmax.maximum) - softmax.logTotal
                sum += exponential(Double(expected)) * (Double(expected) - found)
            }
            divergence = sum
            agrees = place == softmax.mostLikely
        }
    }
}

/// A mean and how far it may be off: one standard deviation of it.
package struct Estimate: Sendable, Hashable {
    package let value: Double
    package let uncertainty: Double

    package init(value: Double, uncertainty: Double) {
        self.value = value
        self.uncertainty = uncertainty
    }
}

/// Sums of numbers and of their squares.
struct Moments: Sendable {
    private(set) var sum = 0.0
    private var squares = 0.0
    private(set) var count = 0

    init() {}

    init(_ numbers: [Float], power: Int = 1) {
        for number in numbers { add(pow(Double(number), Double(power))) }
    }

    mutating func add(_ number: Double) {
        sum += number
        squares += number * number
        count += 1
    }

    var mean: Double { count == 0 ? 0 : sum / Double(count) }

    var estimate: Estimate {
        let variance = count == 0 ? 0 : squares / Double(count) - mean * mean
        return Estimate(
            value: mean, uncertainty: variance > 0 && count > 10 ? (variance / Double(count - 1)).squareRoot() : 0)
    }
}

// MARK: - Statistics

extension Divergence {
    /// A name and a number, as llama.cpp prints them.
    package struct Line: Sendable {
        package let name: String
        package let estimate: Estimate
        /// Whether its uncertainty is known.
        package let isMean: Bool
        /// Whether it is a share, printed in percent.
        package let isShare: Bool
    }

    /// Sections of lines: of perplexities, of divergences, and of the text's own tokens.
    package var statistics: [(title: String, lines: [Line])] {
        [
            ("Perplexity statistics", perplexities), ("KL divergence statistics", divergenceLines),
            ("Token probability statistics", differenceLines),
        ]
    }

    /// The mean divergence, in nats.
    package var mean: Estimate { Moments(divergences).estimate }

    /// How often the most likely token is the base's.
    package var agreement: Estimate {
        let share = count == 0 ? 0 : Double(agreements) / Double(count)
        return Estimate(
            value: share, uncertainty: count > 1 ? (share * (1 - share) / Double(count - 1)).squareRoot() : 0)
    }

    private var covariance: Double {
        guard count >= 10 else { return 0 }
        return (product / Double(count) - model.mean * base.mean) / Double(count - 1)
    }

    private var perplexities: [Line] {
        let (own, other) = (model.estimate, base.estimate)
        let ratio = own.value - other.value
        let ratioError = (own.uncertainty * own.uncertainty + other.uncertainty * other.uncertainty - 2 * covariance)
            .root
        let (perplexity, basePerplexity) = (exp(own.value), exp(other.value))
        let (error, baseError) = (perplexity * own.uncertainty, basePerplexity * other.uncertainty)
        let differenceError = (error * error + baseError * baseError - 2 * perplexity * basePerplexity * covariance)
            .root
        let correlation = covariance / (own.uncertainty * other.uncertainty)
        return [mean("Mean PPL(Q)", perplexity, error), mean("Mean PPL(base)", basePerplexity, baseError)]
            // Losses that do not vary, or whose variance is not known yet, do not correlate.
            + (correlation.isFinite ? [share("Cor(ln(PPL(Q)), ln(PPL(base)))", correlation)] : [])
            + [
                mean("Mean ln(PPL(Q)/PPL(base))", ratio, ratioError),
                mean("Mean PPL(Q)/PPL(base)", exp(ratio), exp(ratio) * ratioError),
                mean("Mean PPL(Q)-PPL(base)", perplexity - basePerplexity, differenceError),
            ]
    }

    private var divergenceLines: [Line] {
        let ranks = Percentiles(divergences)
        let estimate = mean
        let named = [("99.9%", 0.999), ("99.0%", 0.99), ("95.0%", 0.95), ("90.0%", 0.9)]
        let low = [("10.0%", 0.1), ("5.0%", 0.05), ("1.0%", 0.01), ("0.1%", 0.001)]
        return [mean("Mean KLD", estimate.value, estimate.uncertainty), plain("Maximum KLD", ranks[1])]
            + named.map { plain("\($0.0) KLD", ranks[$0.1]) } + [plain("Median KLD", ranks[0.5])]
            + low.map { plain("\($0.0) KLD", ranks[$0.1]) } + [plain("Minimum KLD", ranks[0])]
    }

    private var differenceLines: [Line] {
        let ranks = Percentiles(differences)
        let estimate = Moments(differences).estimate
        let squares = Moments(differences, power: 2).estimate
        let root = squares.value.squareRoot()
        let high = [("99.9%", 0.999), ("99.0%", 0.99), ("95.0%", 0.95), ("90.0%", 0.9), ("75.0%", 0.75)]
        let low = [("25.0%", 0.25), ("10.0%", 0.1), ("5.0%", 0.05), ("1.0%", 0.01), ("0.1%", 0.001)]
        return [share("Mean Δp", estimate.value, estimate.uncertainty), share("Maximum Δp", ranks[1])]
            + high.map { share("\($0.0) Δp", ranks[$0.1]) } + [share("Median Δp", ranks[0.5])]
            + low.map { share("\($0.0) Δp", ranks[$0.1]) } + [share("Minimum Δp", ranks[0])]
            + [
                share("RMS Δp", root, root > 0 ? 0.5 / root * squares.uncertainty : 0),
                share("Same top p", agreement.value, agreement.uncertainty),
            ]
    }

    private func mean(_ name: String, _ value: Double, _ uncertainty: Double) -> Line {
        Line(name: name, estimate: Estimate(value: value, uncertainty: uncertainty), isMean: true, isShare: false)
    }

    private func plain(_ name: String, _ value: Double) -> Line {
        Line(name: name, estimate: Estimate(value: value, uncertainty: 0), isMean: false, isShare: false)
    }

    private func share(_ name: String, _ value: Double, _ uncertainty: Double? = nil) -> Line {
        Line(
            name: name, estimate: Estimate(value: value, uncertainty: uncertainty ?? 0), isMean: uncertainty != nil,
            isShare: true)
    }
}

/// Numbers by their rank, with straight lines between them.
private struct Percentiles {
    private let sorted: [Float]

    init(_ numbers: [Float]) { sorted = numbers.sorted() }

    subscript(fraction: Double) -> Double {
        guard let last = sorted.last else { return 0 }
        let place = fraction * Double(sorted.count - 1)
        let index = Int(place)
        guard index + 1 < sorted.count else { return Double(last) }
        let part = place - Double(index)
        return (1 - part) * Double(sorted[index]) + part * Double(sorted[index + 1])
    }
}

extension Double {
    /// The root, and zero for what rounding made negative.
    fileprivate var root: Double { self > 0 ? squareRoot() : 0 }
}
