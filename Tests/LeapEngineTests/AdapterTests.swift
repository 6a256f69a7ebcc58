import LeapGeneration
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapEngine

/// Adapters loaded with an engine, and chosen per answer.
@Suite("Adapters of an engine")
struct AdapterTests {
    private static let model = "lfm2-tied-f32"

    @Test("concurrent answers with different scales are the same as from separate engines")
    func concurrentScales() async throws {
        let shared = try Self.engine(scales: [1, 0])
        let choices: [[Float]] = [[1, 0], [0, 0], [0.5, -1], [0, 1]]
        let together = try await withThrowingTaskGroup(of: (Int, [Int32]).self) { group in
            for (index, scales) in choices.enumerated() {
                group.addTask { (index, try await Self.tokens(shared, scales)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (index, scales) in choices.enumerated() {
            #expect(try await together[index] == Self.tokens(Self.engine(scales: scales), nil), "\(scales)")
        }
        #expect(Set(together.values).count == choices.count)
        let plain = try Engine(ModelOptions(path: Fixture(name: Self.model).path), compute: Compute(threads: 1))
        #expect(try await together[1] == Self.tokens(plain, nil))
    }

    @Test("scales that do not fit the model's adapters fail")
    func wrongScales() async throws {
        let engine = try Self.engine(scales: [1, 0])
        await #expect {
            _ = try await Self.tokens(engine, [1])
        } throws: { error in
            "\(error)".contains("must be 2 finite numbers, one for each adapter of the model")
        }
    }

    @Test("adapters can be chosen by number, and the others get scale 0")
    func numbered() async throws {
        let engine = try Self.engine(scales: [1, 0.5])
        for (numbered, scales) in [([1: 1], [0, 1]), ([0: 0.5], [0.5, 0]), ([:], [0, 0])] as [([Int: Float], [Float])] {
            let model = try engine.model()
            #expect(try model.adapterScales(numbered: numbered) == scales)
            var options = AnswerOptions()
            (options.adapterScales, options.adapterScalesByNumber) = ([1, 1], numbered)
            #expect(try model.request(continuing: "Once", options).prompt.adapterScales == scales)
        }
        #expect {
            _ = try engine.model().adapterScales(numbered: [2: 1])
        } throws: { error in
            "\(error)".contains("adapter 2 was requested, but the model's adapters are numbered 0 to 1")
        }
    }

    @Test("the default scales can be changed while the model is loaded, for later answers")
    func defaults() async throws {
        let engine = try Self.engine(scales: [1, 0])
        #expect(try engine.model().adapterScales == [1, 0])
        let before = try await Self.tokens(engine, nil)
        try engine.model().setAdapterScales([0, 1])
        #expect(try engine.model().adapterScales == [0, 1])
        #expect(try await Self.tokens(engine, nil) == Self.tokens(Self.engine(scales: [0, 1]), nil))
        #expect(try await Self.tokens(engine, [1, 0]) == before)
        #expect(throws: EngineError.self) { try engine.model().setAdapterScales([1]) }
        #expect(throws: EngineError.self) { try engine.model().setAdapterScales([1, .nan]) }
        #expect(try engine.model().adapterScales == [0, 1])
    }

    private static func engine(scales: [Float]) throws -> Engine {
        var options = ModelOptions(path: Fixture(name: model).path)
        options.adapters = zip(["all", "some"], scales).map { name, scale in
            AdapterOptions(path: AdapterFixtures.path(name, of: model), scale: scale)
        }
        return try Engine(options, compute: Compute(threads: 1))
    }

    private static func tokens(_ engine: Engine, _ scales: [Float]?) async throws -> [Int32] {
        var options = AnswerOptions()
        options.sampling.temperature = 0
        options.maxTokens = 12
        options.adapterScales = scales
        let request = try engine.model().request(continuing: "Once upon a time", options)
        return try await engine.generate(request, cancellation: CancellationFlag()) { _ in }.tokens
    }
}
