import Testing

@testable import LeapOps

/// Which experts a row chooses, and their weights.
@Suite struct ExpertRoutingTests {
    private static func routing(
        _ gate: ExpertRouting.Gate, used: Int, normalizes: Bool = true, scale: Float = 1
    ) -> ExpertRouting {
        ExpertRouting(gate: gate, used: used, normalizes: normalizes, epsilon: 0, scale: scale)
    }

    private func choose(
        _ logits: [Float], bias: [Float]? = nil, _ routing: ExpertRouting
    ) -> (experts: [Int32], weights: [Float]) {
        let compute = Compute(threads: 1)
        return compute.exclusively {
            let rows = compute.scratch.rows(1, width: logits.count)
            rows.base.update(from: logits, count: logits.count)
            let choice =
                if let bias {
                    bias.withUnsafeBufferPointer { compute.chooseExperts(rows, bias: $0.baseAddress, routing) }
                } else {
                    compute.chooseExperts(rows, bias: nil, routing)
                }
            return (
                Array(UnsafeBufferPointer(start: choice.experts, count: routing.used)),
                Array(UnsafeBufferPointer(start: choice.weights, count: routing.used))
            )
        }
    }

    @Test("The highest scores come first, and ties go to the lower expert number")
    func order() {
        let softmax = Self.routing(.softmax, used: 3)
        #expect(choose([1, 3, 2, 0], softmax).experts == [1, 2, 0])
        #expect(choose([0, 2, 1, 2, 2], softmax).experts == [1, 3, 4])
        #expect(choose([7, 7, 7, 7], softmax).experts == [0, 1, 2])
        #expect(choose([0, 1, 2], softmax).experts == [2, 1, 0])
        #expect(choose([5], Self.routing(.sigmoid, used: 1)).experts == [0])
    }

    @Test("With sigmoid gating, the bias affects the choice but not the weights")
    func bias() {
        let routing = Self.routing(.sigmoid, used: 2, normalizes: false)
        let plain = choose([0, 1, -1], routing)
        #expect(plain.experts == [1, 0])
        let biased = choose([0, 1, -1], bias: [0, 0, 9], routing)
        #expect(biased.experts == [2, 1])
        #expect(biased.weights[1] == plain.weights[0])
        #expect(abs(biased.weights[0] - 0.268_941_4) < 1e-6)
        // Equal sums of probability and bias: the lower expert number.
        #expect(choose([0, 0, 0], bias: [1, 2, 2], routing).experts == [1, 2])
    }

    @Test("Weights are normalised to a sum of 1 on request, and scaled")
    func weights() {
        let softmax = choose([0, 1, 2], Self.routing(.softmax, used: 2, scale: 3)).weights
        #expect(abs(softmax[0] - 3 * 0.731_058_6) < 1e-5)
        #expect(abs(softmax[1] - 3 * 0.268_941_4) < 1e-5)
        let whole = choose([0, 1, 2], Self.routing(.softmax, used: 2, normalizes: false)).weights
        #expect(abs(whole[0] - 0.665_240_9) < 1e-6)
        let sigmoid = choose([0, 0], Self.routing(.sigmoid, used: 2)).weights
        #expect(sigmoid == [0.5, 0.5])
    }

    @Test("With the softmax over the chosen, logits choose and the others have no influence")
    func softmaxOfChosen() {
        let routing = Self.routing(.softmaxOfChosen, used: 2)
        let found = choose([-3, 1, 2, -8], routing)
        #expect(found.experts == [2, 1])
        #expect(abs(found.weights[0] - 0.731_058_6) < 1e-6 && abs(found.weights[1] - 0.268_941_4) < 1e-6)
        #expect(choose([1, 1, 2, 0.5], routing).weights == found.weights)
        #expect(choose([1e30, -1e30, 0], routing).weights == [1, 0])
        // A bias may choose an expert without the largest logit.
        let biased = choose([0, 200, 1], bias: [900, 0, 0], routing)
        #expect(biased.experts == [0, 1] && biased.weights[1] == 1)
        let notANumber = choose([1, .nan, 2], routing)
        #expect(notANumber.experts[0] == 1 && notANumber.weights.allSatisfy { $0.isNaN })
    }

    @Test("Large logits give finite weights")
    func large() {
        #expect(choose([1e30, -1e30, 0], Self.routing(.softmax, used: 2)).weights == [1, 0])
        #expect(choose([1e30, -1e30, 0], Self.routing(.sigmoid, used: 3, normalizes: false)).weights == [1, 0.5, 0])
    }

    @Test("A NaN logit is chosen, so that its row becomes NaN", arguments: 0..<4)
    func notANumber(place: Int) {
        var logits: [Float] = [4, 3, 2, 1]
        logits[place] = .nan
        let sigmoid = choose(logits, Self.routing(.sigmoid, used: 2))
        #expect(sigmoid.experts[0] == Int32(place) && sigmoid.weights[0].isNaN)
        let softmax = choose(logits, Self.routing(.softmax, used: 2))
        #expect(Set(softmax.experts).count == 2 && softmax.weights.contains { $0.isNaN })
    }
}
