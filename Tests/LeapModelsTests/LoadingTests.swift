import LeapBlocks
import LeapGGUF
import Testing
import _LeapTestSupport

@testable import LeapModels

/// Files that contradict themselves are refused when they are loaded, in words that name the contradiction.
@Suite struct LoadingTests {
    @Test("Every fixture loads, and its configuration is that of its metadata", arguments: Fixture.all)
    func fixtures(fixture: Fixture) throws {
        let file = try GGUFFile(path: fixture.path)
        let configuration = try LanguageModel.load(file).configuration
        let name = try file.metadata.string("general.architecture")
        #expect(configuration.architecture == name)
        #expect(configuration.blockCount == (try file.metadata.integer("\(name).block_count", in: 1...100)))
        #expect(configuration.vocabularySize == file.tensor(named: "token_embd.weight")?.dimensions[1])
    }

    @Test("Batches that cannot be computed are refused before a sequence changes")
    func refusedBatches() throws {
        let model = try TestModel(Fixture(name: "lfm2-tied-f32"))
        let state = try model.model.makeState(capacity: 3)
        func error(_ tokens: [Int32]) -> ModelError? {
            var batch = Batch()
            batch.append(tokens: tokens, to: state, wantsLogits: true)
            do throws(ModelError) {
                _ = try model.model.forward(batch, model.compute)
                return nil
            } catch { return error }
        }
        #expect(error([])?.description == "a batch without rows has nothing to compute")
        #expect(error([-1])?.description.hasPrefix("token -1 is not in the vocabulary, whose ids are 0 to") == true)
        #expect(error([Int32.max])?.description.hasPrefix("token 2147483647 is not in the vocabulary") == true)
        #expect(
            error([1, 2, 3, 4])?.description == "4 more tokens after 0 do not fit into a context of 3 tokens")
        #expect(state.position == 0)
        #expect(error([1, 2, 3]) == nil)
        #expect(error([1])?.description == "1 more tokens after 3 do not fit into a context of 3 tokens")
    }

    @Test("A state's capacity is one of the model's", arguments: [0, -1, Int.max, Int.min])
    func capacity(asked: Int) throws {
        let model = try TestModel(Fixture(name: "lfm2-tied-f32")).model
        #expect(throws: ModelError.self) { _ = try model.makeState(capacity: asked) }
    }

    @Test("The memory plan grows with the context and counts every weight")
    func memoryPlan() throws {
        let model = try TestModel(Fixture(name: "lfm2-tied-f32")).model
        let (small, large) = (model.memoryPlan(contextSize: 128), model.memoryPlan(contextSize: 1024))
        #expect(small.weightBytes == model.file.tensors.reduce(0) { $0 + $1.byteCount })
        #expect(large.stateBytes > small.stateBytes && small.stateBytes > 0)
        #expect(small.privateBytes == small.stateBytes + small.scratchBytes)
    }
}
