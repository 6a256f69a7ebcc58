import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

@testable import LeapOps

/// A row's products with its experts are bit-identical to those with the experts' matrices alone, whatever other rows
/// these experts have.
@Suite struct ExpertProductsTests {
    private static let experts = 5
    private static let rows = 37

    /// Which experts each row chooses.
    enum Assignment: CaseIterable {
        /// Two of all, in turn; their order differs between rows too.
        case mixed
        /// Two experts have all rows, the others none.
        case crowded
        /// Every row chooses all.
        case all

        func experts(of row: Int) -> [Int32] {
            switch self {
            case .mixed: [Int32(row * row % 5), Int32((row * row + 1 + row % 4) % 5)]
            case .crowded: row.isMultiple(of: 3) ? [4, 1] : [1, 4]
            case .all: [3, 0, 4, 2, 1]
            }
        }
    }

    @Test(
        "Batched expert products are bit-identical to those of each row alone", arguments: Assignment.allCases,
        TiledProductsTests.types)
    func products(assignment: Assignment, weights: (type: GGMLType, columns: Int)) throws {
        let matrix = RandomMatrix(weights.type, rows: Self.experts * Self.rows, columns: weights.columns)
        let other = RandomMatrix(weights.type, rows: Self.experts * (Self.rows + 1), columns: weights.columns)
        let (first, second) = try (#require(matrix.quantized), #require(other.quantized))
        let gate = try #require(ExpertMatrices(first, count: Self.experts))
        let up = try #require(
            ExpertMatrices(second[Self.experts..<Self.experts * (Self.rows + 1)], count: Self.experts))
        for level in Kernels.available {
            for (kind, count) in [RowKind.answer, .prompt].flatMap({ kind in [1, 3, 41, 150].map { (kind, $0) } }) {
                for threads in [1, 2] {
                    let compute = Compute(kernels: level, threads: threads)
                    let (x, alone) = (matrix.x(count), Compute(kernels: level, threads: 1))
                    let found = compute.products(assignment, gate, up, x, count: count, kind)
                    let single = alone.singleProducts(assignment, gate, up, x, count: count, kind)
                    #expect(found == single, "\(level.level), \(count) rows of \(kind), \(threads) threads")
                    #expect(found.plain.contains { $0 != 0 } && found.gated.contains { $0 != 0 })
                }
            }
        }
    }

    @Test("The outputs of a row's experts are weighted and summed", arguments: Assignment.allCases)
    func combined(assignment: Assignment) {
        let compute = Compute(threads: 2)
        let (count, width, used) = (50, 19, assignment.experts(of: 0).count)
        compute.exclusively {
            let choice = compute.choice(assignment, rows: count)
            let groups = compute.group(choice)
            let y = compute.scratch.rows(count * used, width: width)
            for row in 0..<count {
                for index in 0..<used {
                    let expert = choice.experts[row * used + index]
                    let slot = compute.slot(row, Int(expert), groups)
                    for column in 0..<width { y[slot][column] = Float(row) + Float(expert) * Float(column) }
                }
            }
            let output = compute.combine(y, choice, groups)
            for row in 0..<count {
                for column in 0..<width {
                    let expected = (0..<used).reduce(0.0) { sum, index in
                        let place = row * used + index
                        let value = Double(row) + Double(choice.experts[place]) * Double(column)
                        return sum + Double(choice.weights[place]) * value
                    }
                    #expect(abs(Double(output[row][column]) - expected) < 1e-3)
                }
            }
        }
    }
}

/// Products with one matrix of each expert, and with two, in the order of the rows and of their choices.
private struct Products: Equatable {
    var plain: [Float] = []
    var gated: [Float] = []
}

extension Compute {
    fileprivate func choice(_ assignment: ExpertProductsTests.Assignment, rows: Int) -> ExpertChoice {
        let used = assignment.experts(of: 0).count
        let choice = ExpertChoice(
            experts: scratch.array(of: Int32.self, count: rows * used),
            weights: scratch.array(of: Float.self, count: rows * used), rows: rows, used: used, expertCount: 5)
        for row in 0..<rows {
            for (index, expert) in assignment.experts(of: row).enumerated() {
                choice.experts[row * used + index] = expert
                choice.weights[row * used + index] = 1 / Float(index + 2)
            }
        }
        return choice
    }

    /// The slot of a row for an expert: slots are ordered by expert, then by row.
    fileprivate func slot(_ row: Int, _ expert: Int, _ groups: ExpertGroups) -> Int {
        let group = (0..<groups.count).first { groups.expert($0) == expert } ?? 0
        return groups.slots(group).first { groups.row(ofSlot: $0) == row } ?? 0
    }

    fileprivate func products(
        _ assignment: ExpertProductsTests.Assignment, _ gate: ExpertMatrices, _ up: ExpertMatrices, _ x: [Float],
        count: Int,
        _ kind: RowKind
    ) -> Products {
        exclusively {
            let choice = choice(assignment, rows: count)
            let groups = group(choice)
            let input = scratch.rows(count, width: x.count / count)
            input.base.update(from: x, count: x.count)
            var sorted = Activations(gather(input, groups), kind)
            let plain = linear(gate, &sorted, groups)
            let gated = gatedLinear(gate: gate, up: up, &sorted, groups)
            var products = Products()
            for row in 0..<count {
                for index in 0..<choice.used {
                    let slot = slot(row, Int(choice.experts[row * choice.used + index]), groups)
                    products.plain += UnsafeBufferPointer(start: plain[slot], count: plain.width)
                    products.gated += UnsafeBufferPointer(start: gated[slot], count: gated.width)
                }
            }
            return products
        }
    }

    fileprivate func singleProducts(
        _ assignment: ExpertProductsTests.Assignment, _ gate: ExpertMatrices, _ up: ExpertMatrices, _ x: [Float],
        count: Int,
        _ kind: RowKind
    ) -> Products {
        // For types without tiles, a prompt's rows are multiplied like an answer's.
        let kind = kernels[gate.joint.type]?.tiles == nil ? .answer : kind
        return exclusively {
            var products = Products()
            for row in 0..<count {
                scratch.scope {
                    let input = scratch.rows(1, width: x.count / count)
                    input.base.update(from: Array(x[row * input.width..<(row + 1) * input.width]), count: input.width)
                    var activations = Activations(input, kind)
                    for expert in assignment.experts(of: row) {
                        let plain = linear(gate[Int(expert)], &activations)
                        let gated = gatedLinear(gate: gate[Int(expert)], up: up[Int(expert)], &activations)
                        products.plain += UnsafeBufferPointer(start: plain.base, count: plain.width)
                        products.gated += UnsafeBufferPointer(start: gated.base, count: gated.width)
                    }
                }
            }
            return products
        }
    }
}
