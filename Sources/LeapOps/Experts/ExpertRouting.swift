import LeapBlocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How a row chooses its experts, and how it weights them.
///
/// Source: Shazeer et al. 2017, "Outrageously Large Neural Networks", section 2; the bias that affects only the choice:
/// Wang et al. 2024,
/// "Auxiliary-Loss-Free Load Balancing Strategy for Mixture-of-Experts".
public struct ExpertRouting: Sendable {
    /// How the router's logits become probabilities.
    public enum Gate: Sendable {
        /// Softmax over all experts.
        case softmax
        /// Sigmoid of each logit.
        case sigmoid
        /// Softmax over the chosen experts only.
        case softmaxOfChosen
    }

    /// How logits become probabilities.
    public let gate: Gate
    /// Experts per row.
    public let used: Int
    /// Whether weights are divided by their sum.
    public let normalizes: Bool
    /// Added to that sum.
    public let epsilon: Float
    /// A factor on the weights.
    public let scale: Float

    /// - Parameter used: From 1 to the number of experts.
    public init(gate: Gate, used: Int, normalizes: Bool, epsilon: Float, scale: Float) {
        self.gate = gate
        self.used = used
        self.normalizes = normalizes
        self.epsilon = epsilon
        self.scale = scale
    }
}

/// The experts of every row, in the order in which the row chose them: `[rows, used]`.
public struct ExpertChoice {
    let experts: UnsafeMutablePointer<Int32>
    let weights: UnsafeMutablePointer<Float>
    let rows: Int
    let used: Int
    /// Experts to choose from.
    let expertCount: Int
}

extension Compute {
    /// The logits of a router, `[n, experts]`. Uses dot products for every kind of rows, so that a row chooses the same
    /// experts in prefill and in decoding.
    ///
    /// - Parameter bias: `experts` floats.
    public func routerLogits(
        _ router: QuantizedMatrix, bias: UnsafePointer<Float>?, _ x: inout Activations
    ) -> Rows {
        let start = profiler.begin()
        defer { profiler.end(start, .product(router, rows: x.rows.count)) }
        observe(x.rows, router)
        let logits = scratch.rows(x.rows.count, width: router.rows)
        multiplyRows(router, &x, into: logits)
        if let bias { addBias(bias, to: logits) }
        return logits
    }

    /// Chooses the experts of every row by its logits.
    ///
    /// - Parameters:
    ///   - logits: `[n, experts]`; become probabilities.
    ///   - bias: `experts` floats that are added to the probabilities only for the choice.
    public func chooseExperts(
        _ logits: Rows, bias: UnsafePointer<Float>?, _ routing: ExpertRouting
    ) -> ExpertChoice {
        assert((1...logits.width).contains(routing.used))
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.routing, logits, streams: 2)) }
        let count = logits.count * routing.used
        let choice = ExpertChoice(
            experts: scratch.array(of: Int32.self, count: count), weights: scratch.array(of: Float.self, count: count),
            rows: logits.count, used: routing.used, expertCount: logits.width)
        parallel(logits.count, grain: 16, Choosing(logits: logits, bias: bias, routing: routing, choice: choice))
        return choice
    }
}

private struct Choosing: ParallelWork {
    let logits: Rows
    let bias: UnsafePointer<Float>?
    let routing: ExpertRouting
    let choice: ExpertChoice

    func run(_ range: Range<Int>, worker: Int) {
        for row in range {
            let experts = choice.experts + row * routing.used
            routing.makeProbabilities(logits[row], logits.width)
            routing.choose(logits[row], bias, logits.width, experts)
            routing.weigh(logits[row], experts, choice.weights + row * routing.used)
        }
    }
}

extension ExpertRouting {
    /// Turns logits into probabilities, in place; for a softmax over the chosen experts, the logits remain.
    func makeProbabilities(_ logits: UnsafeMutablePointer<Float>, _ count: Int) {
        switch gate {
        case .softmaxOfChosen: break  // the choice is made by the logits
        case .sigmoid:
            for expert in 0..<count { logits[expert] = 1 / (1 + expf(-logits[expert])) }
        case .softmax:
            var largest = logits[0]
            for expert in 1..<count where logits[expert] > largest { largest = logits[expert] }
            var sum: Float = 0
            for expert in 0..<count {
                logits[expert] = expf(logits[expert] - largest)
                sum += logits[expert]
            }
            for expert in 0..<count { logits[expert] /= sum }
        }
    }

    /// The experts with the highest scores, in descending order; ties are broken by the lower index.
    ///
    /// NaN precedes all numbers, so that the row's output becomes NaN and the pass fails visibly instead of yielding
    /// nonsense.
    func choose(
        _ probabilities: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?, _ count: Int,
        _ experts: UnsafeMutablePointer<Int32>
    ) {
        func score(_ expert: Int) -> Float { probabilities[expert] + (bias.map { $0[expert] } ?? 0) }
        func isBefore(_ one: Float, _ other: Float) -> Bool { one > other || (one.isNaN && !other.isNaN) }
        for expert in 0..<count {
            let own = score(expert)
            var place = min(expert, used)
            while place > 0, isBefore(own, score(Int(experts[place - 1]))) {
                if place < used { experts[place] = experts[place - 1] }
                place -= 1
            }
            if place < used { experts[place] = Int32(expert) }
        }
    }

    /// Computes the weights of the chosen experts.
    func weigh(
        _ probabilities: UnsafePointer<Float>, _ experts: UnsafePointer<Int32>, _ weights: UnsafeMutablePointer<Float>
    ) {
        var largest = probabilities[Int(experts[0])]
        for index in 1..<max(used, 1) { largest = max(largest, probabilities[Int(experts[index])]) }
        var sum: Float = 0
        for index in 0..<used {
            let value = probabilities[Int(experts[index])]
            weights[index] = gate == .softmaxOfChosen ? expf(value - largest) : value
            sum += weights[index]
        }
        let divisor = gate == .softmaxOfChosen ? sum : normalizes ? sum + epsilon : 1
        for index in 0..<used { weights[index] = weights[index] / divisor * scale }
    }
}
