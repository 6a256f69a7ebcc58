import LeapBlocks
import LeapGGUF
import LeapQuantize
import Testing
import _LeapTestSupport

@Suite("Importance matrices")
struct ImportanceSumsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let sample: ImportanceSums = {
        var sums = ImportanceSums(chunkSize: 512)
        sums.entries["blk.0.ffn_up.weight"] = .init(squares: [1, 2, 3, 4], counts: [2])
        sums.entries["blk.0.ffn_up_exps.weight"] = .init(squares: [1, 2, 3, 4, 0, 0], counts: [2, 1, 0])
        sums.datasets = ["text"]
        sums.chunkCount = 3
        return sums
    }()

    @Test("A file has llama-imatrix's keys and tensors")
    func written() throws {
        let path = folder.path("imatrix.gguf")
        try Self.sample.write(to: path)
        let file = try GGUFFile(path: path)
        #expect(try file.metadata.string("general.type") == "imatrix")
        #expect(try file.metadata.integer("imatrix.chunk_count", in: 0...100) == 3)
        #expect(try file.metadata.integer("imatrix.chunk_size", in: 0...1_000) == 512)
        #expect(Array(try file.metadata.strings("imatrix.datasets")) == ["text"])
        #expect(file.tensor(named: "blk.0.ffn_up.weight.in_sum2")?.dimensions == [4, 1])
        #expect(file.tensor(named: "blk.0.ffn_up.weight.counts")?.dimensions == [1, 1])
        #expect(file.tensor(named: "blk.0.ffn_up_exps.weight.in_sum2")?.dimensions == [2, 3])
        #expect(file.tensor(named: "blk.0.ffn_up_exps.weight.counts")?.dimensions == [1, 3])
    }

    @Test("Merging two files adds up their sums")
    func merged() throws {
        let path = folder.path("imatrix.gguf")
        try Self.sample.write(to: path)
        var sums = try ImportanceSums(path: path)
        try sums.merge(ImportanceSums(path: path), from: path)
        #expect(sums.chunkCount == 6)
        #expect(sums.entries["blk.0.ffn_up.weight"]?.squares == [2, 4, 6, 8])
        #expect(sums.entries["blk.0.ffn_up_exps.weight"]?.counts == [4, 2, 0])
        var other = ImportanceSums(chunkSize: 512)
        other.entries["blk.0.ffn_up.weight"] = .init(squares: [1, 2], counts: [1])
        #expect(throws: QuantizationError.self) { try sums.merge(other, from: "other") }
    }

    @Test("Sums of another model are refused because of the tensor shapes")
    func shapes() throws {
        func check(_ dimensions: [Int]) throws {
            var writer = GGUFWriter()
            writer.set("general.architecture", .string("llama"))
            try writer.addTensor("blk.0.ffn_up_exps.weight", type: .F32, dimensions: dimensions)
            let count = dimensions.reduce(1, *)
            let file = try GGUFFile(
                bytes: writer.encoded { try $0.append([Float](repeating: 1, count: count)) }, name: "model.gguf")
            var sums = Self.sample
            try sums.fit(file.tensors, from: "sums")
            #expect(sums.entries["blk.0.ffn_up_exps.weight"]?.counts == [2, 1, 0])
        }
        try check([2, 5, 3])
        for dimensions in [[2, 5, 2], [3, 5, 2], [6, 5]] {
            let error = #expect(throws: QuantizationError.self) { try check(dimensions) }
            #expect(
                error?.description.hasPrefix("sums: belongs to another model: blk.0.ffn_up_exps.weight has") == true)
        }
    }

    @Test("Sums with one count for all experts, as llama-imatrix converts its earlier format, are those of each expert")
    func singleCount() throws {
        let name = "blk.0.ffn_up_exps.weight"
        var model = GGUFWriter()
        model.set("general.architecture", .string("llama"))
        try model.addTensor(name, type: .F32, dimensions: [32, 2, 3])
        let file = try GGUFFile(
            bytes: model.encoded { try $0.append((0..<192).map { Float($0 % 11) - 5 }) }, name: "model.gguf")
        let squares = (0..<96).map { Float($0 % 7) }
        func quantized(_ sumDimensions: [Int], counts: [Float]) throws -> (sums: ImportanceSums, tensor: [UInt8]) {
            var writer = GGUFWriter()
            writer.set("general.type", .string("imatrix"))
            try writer.addTensor("\(name).in_sum2", type: .F32, dimensions: sumDimensions)
            try writer.addTensor("\(name).counts", type: .F32, dimensions: [1, counts.count])
            let (path, output) = (folder.path("imatrix.gguf"), folder.path("model.gguf"))
            try writer.write(to: path) {
                try $0.append(squares)
                try $0.append(counts)
            }
            var sums = try ImportanceSums(path: path)
            try sums.fit(file.tensors, from: path)
            let plan = try QuantizationPlan(file, QuantizationRecipe(.Q4_0))
            try ModelQuantizer(plan, importance: ImportanceMatrix(path: path), threads: 1).write(to: output)
            let tensor = try #require(GGUFFile(path: output).tensor(named: name))
            return withExtendedLifetime(tensor) { (sums, Array(tensor.bytes)) }
        }
        let (one, each) = (try quantized([96, 1], counts: [4]), try quantized([32, 3], counts: [4, 4, 4]))
        #expect(one.tensor == each.tensor)
        #expect(one.sums.entries[name]?.counts == [4, 4, 4])
        var merged = one.sums
        try merged.merge(each.sums, from: "each")
        #expect(merged.entries[name]?.counts == [8, 8, 8])
    }

    @Test("Counts that are not numbers of rows are refused", arguments: [-1, Float.nan, .infinity])
    func impossibleCounts(count: Float) throws {
        let path = folder.path("imatrix.gguf")
        var writer = GGUFWriter()
        writer.set("general.type", .string("imatrix"))
        try writer.addTensor("blk.0.ffn_up.weight.in_sum2", type: .F32, dimensions: [2, 2])
        try writer.addTensor("blk.0.ffn_up.weight.counts", type: .F32, dimensions: [1, 2])
        try writer.write(to: path) { try $0.append([1, 1, 1, 1, 5, count] as [Float]) }
        let error = #expect(throws: QuantizationError.self) { _ = try ImportanceSums(path: path) }
        let problem = "blk.0.ffn_up.weight.counts: expected numbers of rows, found \(Double(count)) for matrix 1"
        #expect(error?.description.hasSuffix(problem) == true, "\(error?.description ?? "")")
    }

    @Test("Implausible chunk counts are ignored", arguments: [Int64.max, -1])
    func foreignCounts(count: Int64) throws {
        let path = folder.path("imatrix.gguf")
        var writer = GGUFWriter()
        writer.set("general.type", .string("imatrix"))
        writer.set("imatrix.chunk_count", .int64(count))
        writer.set("imatrix.chunk_size", .int64(count))
        try writer.write(to: path) { _ in }
        var sums = try ImportanceSums(path: path)
        try sums.merge(Self.sample, from: path)
        try sums.merge(ImportanceSums(path: path), from: path)
        #expect(sums.chunkCount == 3 && sums.chunkSize == 512)
    }
}
