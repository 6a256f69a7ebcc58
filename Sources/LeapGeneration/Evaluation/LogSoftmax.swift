#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What makes log-probabilities of a row of logits: `log p[i] = x[i] − maximum − log Σ exp(x − maximum)`.
package struct LogSoftmax: Sendable {
    /// The largest logit, and the first token that has it.
    package let maximum: Float
    package let mostLikely: Int
    /// The smallest logit.
    package let minimum: Float
    /// log Σ exp(x − maximum)
    package let logTotal: Double

    package init(_ row: UnsafeBufferPointer<Float>) {
        var (maximum, minimum, place) = (row.first ?? 0, row.first ?? 0, 0)
        for index in row.indices {
            if row[index] > maximum { (maximum, place) = (row[index], index) }
            if row[index] < minimum { minimum = row[index] }
        }
        var total = 0.0
        for value in row { total += exponential(Double(value) - Double(maximum)) }
        (self.maximum, self.minimum, mostLikely) = (maximum, minimum, place)
        logTotal = log(total)
    }

    /// The log-probability of a token, in nats.
    package subscript(row: UnsafeBufferPointer<Float>, token: Int32) -> Double {
        Double(row[Int(token)]) - Double(maximum) - logTotal
    }
}
