import LeapGGUF
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

@Suite("Sums of squared matrix inputs")
struct InputSquaresTests {
    private func squares(_ file: GGUFFile) -> (names: [String], squares: InputSquares) {
        let tensors = file.tensors.filter { $0.name.hasPrefix("blk.") && $0.dimensions.count > 1 }
        let matrices = tensors.compactMap { tensor in
            tensor.bytes.baseAddress.map {
                InputSquares.Matrix(
                    base: $0, columns: tensor.dimensions[0], count: tensor.dimensions.dropFirst(2).reduce(1, *))
            }
        }
        return (tensors.map(\.name), InputSquares(matrices))
    }

    private func read(_ name: String, chunks: [Int]) throws -> [String: InputSquares.Sums] {
        let file = try GGUFFile(path: Fixture(name: name).path)
        let model = try LanguageModel.load(file)
        let (names, squares) = squares(file)
        let compute = Compute()
        compute.inputSquares = squares
        let state = try model.makeState(capacity: 64)
        var next: Int32 = 1
        for count in chunks {
            var batch = Batch(of: .prompt)
            for _ in 0..<count {
                batch.append(token: next, to: state, wantsLogits: false)
                next += 1
            }
            try model.forward(batch, compute) { _ in }
        }
        return Dictionary(uniqueKeysWithValues: names.indices.map { (names[$0], squares[$0]) })
    }

    @Test(
        "Every matrix of a layer counts every row once; experts count only their own rows",
        arguments: ["llama-tied-f32", "lfm2-tied-f32", "qwen3moe-f32", "phi4-short-f32", "lfm2moe-f32"])
    func counts(name: String) throws {
        for (tensor, sums) in try read(name, chunks: [24, 8]) where !tensor.contains("shortconv.conv") {
            let used = sums.counts.count > 1
            let total = sums.counts.reduce(0, +)
            #expect(used ? total.isMultiple(of: 32) && total >= 32 : total == 32, "\(tensor): \(total)")
            #expect(sums.squares.allSatisfy { $0 >= 0 && $0.isFinite })
        }
    }

    @Test("Sums do not depend on how rows are divided into passes")
    func chunks() throws {
        let whole = try read("llama-tied-f32", chunks: [32])
        let parts = try read("llama-tied-f32", chunks: [9, 20, 3])
        for (tensor, sums) in whole {
            let other = try #require(parts[tensor])
            for (a, b) in zip(sums.squares, other.squares) { #expect(abs(a - b) <= 1e-9 * abs(a)) }
        }
    }

    /// A norm divides by √(mean square + ε), so the squares of its outputs sum to slightly less than the width.
    private static let epsilonShare = 1e-3

    @Test(
        "The output projection's inputs are those of the file's matrix, even if logits are scaled",
        arguments: ["granitemoe-f32", "lfm2-untied-f16"])
    func output(name: String) throws {
        let file = try GGUFFile(path: Fixture(name: name).path)
        let model = try LanguageModel.load(file)
        #expect((model.logitScale == 1) == (name == "lfm2-untied-f16"))
        let tensor = try #require(file.tensors.first { $0.name == "output.weight" })
        let width = tensor.dimensions[0]
        let squares = InputSquares([
            InputSquares.Matrix(
                base: try #require(tensor.bytes.baseAddress), columns: width, count: 1, factor: model.logitScale)
        ])
        let compute = Compute()
        compute.inputSquares = squares
        let state = try model.makeState(capacity: 64)
        var batch = Batch(of: .prompt)
        for token in Int32(1)...20 { batch.append(token: token, to: state, wantsLogits: true) }
        try model.forward(batch, compute) { _ in }
        #expect(squares[0].counts == [20])
        let norms = ["output_norm.weight", "token_embd_norm.weight"]
        let gains = try #require(file.tensors.first { norms.contains($0.name) })
        let sum = squares[0].squares.indices.reduce(0.0) { sum, column in
            let gain = Double(gains.bytes.loadUnaligned(fromByteOffset: 4 * column, as: Float.self))
            return sum + squares[0].squares[column] / (gain * gain)
        }
        #expect(abs(sum / Double(20 * width) - 1) < Self.epsilonShare)
    }
}
