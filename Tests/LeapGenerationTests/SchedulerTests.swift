import Foundation
import LeapBlocks
import LeapConstraints
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// Many generations share a model without affecting each other's results.
@Suite("Scheduler")
struct SchedulerTests {
    private static let fixtures = ["lfm2-tied-f32", "lfm2-k-quants", "llama-q4_k"].map(Fixture.init)

    // MARK: - Batch independence

    @Test(
        "batched generations give the same tokens and log probabilities as each alone, bit for bit",
        arguments: fixtures, Kernels.available.map(\.level))
    func batchIndependence(_ fixture: Fixture, level: KernelLevel) throws {
        let setup = try SchedulerSetup(fixture, Compute(kernels: Kernels.table(for: level), threads: 2))
        for seed in 0..<12 {
            var random = SeededRandomNumberGenerator(seed: UInt64(seed))
            let requests = try (0..<Int.random(in: 2...20, using: &random)).map { _ in
                try setup.randomRequest(&random)
            }
            let alone = try requests.map(setup.alone)
            var schedule = Schedule(scheduler: try setup.randomScheduler(&random), random: random)
            let outcomes = try schedule.run(requests)
            for (outcome, expected) in zip(outcomes, alone) {
                if outcome.finishReason == .cancelled {
                    // The tokens before the cancellation are the same.
                    #expect(expected.tokens.starts(with: outcome.tokens))
                } else {
                    #expect(outcome.tokens == expected.tokens && outcome.text == expected.text)
                    #expect(outcome.finishReason == expected.finishReason)
                    #expect(outcome.logprobs == expected.logprobs)
                }
            }
            #expect(outcomes.count { $0.finishReason != .cancelled } > 0)
        }
    }

    @Test("an answer whose mask takes long delays no other, and can be cancelled meanwhile")
    func slowMasks() throws {
        let setup = try SchedulerSetup()
        let scheduler = try setup.scheduler()
        let slow = try (0..<2).map { (seed: UInt64) in
            var request = setup.request(setup.tokens(9, seed: 1), seed: seed)
            request.constraint = try SchedulerSetup.manyPaths()
            return request
        }
        let quick = setup.request(setup.tokens(9, seed: 2))
        let mayContinue = DispatchSemaphore(value: 0)
        MaskQueue.shared.add(for: TimeShares.Account(client: "", isBackground: false)) { mayContinue.wait() }
        // Other tests need the queue too, should this one end early.
        defer { mayContinue.signal() }
        let generations = try (slow + [quick]).map { try scheduler.admit($0) }
        for _ in 0..<100 where generations[2].outcome == nil { scheduler.step() }
        #expect(try #require(generations[2].outcome).get().tokens.count == 10)
        generations[1].cancel()
        scheduler.step()
        #expect(try #require(generations[1].outcome).get().finishReason == .cancelled)
        #expect(generations[0].outcome == nil)
        mayContinue.signal()
        while scheduler.hasWork { scheduler.step() }
        let result = try #require(generations[0].outcome).get()
        #expect(result.tokens == (try setup.alone(slow[0])).tokens)
        #expect(generations[2].outcome.flatMap { try? $0.get() }?.tokens == (try setup.alone(quick)).tokens)
    }

    // MARK: - Prompts

    @Test("a prefix shared by concurrent prompts is computed once")
    func leader() throws {
        let setup = try SchedulerSetup()
        let common = setup.tokens(300, seed: 1)
        let scheduler = try setup.scheduler()
        let tails = (0..<4).map { setup.tokens(20 + $0, seed: UInt64(10 + $0)) }
        let results = try setup.run(tails.map { setup.request(common + $0) }, in: scheduler)
        let computed = results.reduce(0) { $0 + $1.statistics.promptTokens - $1.statistics.cachedPromptTokens }
        // Two segments are shared, and the rest is computed for each.
        #expect(computed == 256 + tails.reduce(0) { $0 + 300 - 256 + $1.count })
    }

    @Test("an identical prompt of concurrent requests is computed once, and each samples its own answer")
    func severalAnswers() throws {
        let setup = try SchedulerSetup()
        let prompt = setup.tokens(333, seed: 2)
        let requests = (0..<8).map { setup.request(prompt, seed: UInt64($0)) }
        let results = try setup.run(requests, in: setup.scheduler())
        let computed = results.map { $0.statistics.promptTokens - $0.statistics.cachedPromptTokens }
        #expect(computed.reduce(0, +) == 333)
        #expect(Set(results.map(\.tokens)).count > 4)
        for (request, result) in zip(requests, results) { #expect(try setup.alone(request).tokens == result.tokens) }
    }

    /// Requests for the answers of one job.
    private static func job(_ setup: SchedulerSetup, scoresPrompt: Bool = false) -> [GenerationRequest] {
        let prompt = setup.tokens(500, seed: 2)
        return (0..<6).map { index in
            var request = setup.request(prompt, seed: UInt64(index))
            (request.usesCache, request.scoresPrompt, request.job) = (scoresPrompt, scoresPrompt, 7)
            return request
        }
    }

    /// Steps until nothing is left to do.
    ///
    /// - Returns: How many of the steps began while a prompt was being read.
    private static func stepsOfReading(_ generations: [Generation], in scheduler: Scheduler) -> Int {
        var steps = 0
        while scheduler.hasWork {
            if generations.contains(where: { $0.phase == .reading }) { steps += 1 }
            scheduler.step()
        }
        return steps
    }

    @Test(
        "the answers of one job share the reading of their prompt without the cache too, also those that wait for a slot",
        arguments: [false, true], [16, 2])
    func jobWithoutCache(scoresPrompt: Bool, maxActive: Int) throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.maxActive = maxActive
        let scheduler = try setup.scheduler(configuration)
        let requests = Self.job(setup, scoresPrompt: scoresPrompt)
        let generations = try requests.map { try scheduler.admit($0) }
        // A pass over a scored prompt is shorter. Several readings would take several times as many.
        let steps = Self.stepsOfReading(generations, in: scheduler)
        #expect(steps <= (scoresPrompt ? 20 : 4), "\(steps)")
        for (request, generation) in zip(requests, generations) {
            let (expected, result) = (try setup.alone(request), try #require(generation.outcome).get())
            #expect(result.tokens == expected.tokens && result.statistics.cachedPromptTokens == 0)
            #expect(result.promptLogprobs == expected.promptLogprobs)
            #expect(result.promptLogprobs?.count == (scoresPrompt ? 499 : nil))
        }
    }

    @Test("what a job keeps for answers that wait takes memory from the budget, and is released when none is left")
    func memoryOfWaitingJob() throws {
        let setup = try SchedulerSetup()
        for (room, isShared) in [(600, false), (1800, true)] {
            var configuration = SchedulerConfiguration()
            (configuration.maxActive, configuration.reservedTokens) = (1, 20)
            configuration.stateBytes = setup.model.stateBytes(positions: room)
            let scheduler = try setup.scheduler(configuration)
            let flag = CancellationFlag()
            let requests = Self.job(setup)
            let generations = try requests.enumerated().map { index, request in
                try scheduler.admit(request, cancellation: index > 3 ? flag : CancellationFlag())
            }
            while generations[0].phase != .answering { scheduler.step() }
            #expect(generations.map { $0.promptEnd != nil } == [false] + generations.dropFirst().map { _ in isShared })
            #expect(scheduler.promptEnds.count == (isShared ? 1 : 0))
            flag.cancel()
            let steps = Self.stepsOfReading(generations, in: scheduler)
            #expect(isShared ? steps == 0 : steps > 0)
            #expect(scheduler.promptEnds.isEmpty && scheduler.budget.hasRoom(from: 0, to: room))
            for (request, generation) in zip(requests, generations).prefix(4) {
                #expect(try generation.outcome?.get().tokens == setup.alone(request).tokens)
            }
            #expect(try generations.suffix(2).allSatisfy { try $0.outcome?.get().finishReason == .cancelled })
        }
    }

    @Test("cached prompts of an owner are reused by that owner only, in memory and on disk")
    func owners() throws {
        let setup = try SchedulerSetup()
        let folder = try TemporaryFolder()
        // Keeps the folder alive, as the store may still be writing when the test ends.
        let disk = PrefixCacheConfiguration.Disk(path: folder.path("cache"), maxEntries: 64) {
            [folder] in Issue.record("\(folder.url.path): \($0)")
        }
        func cached(_ owners: [String], in scheduler: Scheduler) throws -> [Int] {
            let requests = owners.map { owner in
                var request = setup.request(setup.tokens(300, seed: 7))
                request.prompt.owner = owner
                return request
            }
            return try setup.run(requests, in: scheduler).map(\.statistics.cachedPromptTokens)
        }
        func scheduler() throws -> Scheduler {
            try Scheduler(
                model: setup.model, tokenizer: setup.tokenizer, compute: setup.compute,
                caching: PrefixCacheConfiguration(disk: disk))
        }
        let first = try scheduler()
        // For concurrent as well as later requests.
        #expect(try cached(["a", "b", ""], in: first) == [0, 0, 0])
        #expect(try cached(["a"], in: first) == [256])
        #expect(try cached(["c"], in: first) == [0])
        first.flushCache()
        let second = try scheduler()
        #expect(try cached(["b"], in: second) == [256])
        #expect(try cached(["d"], in: second) == [0])
        #expect(try cached([""], in: second) == [256])
    }

    @Test("when the generation that computes a shared prefix is cancelled, another takes over")
    func cancelledLeader() throws {
        let setup = try SchedulerSetup()
        let prompt = setup.tokens(400, seed: 3)
        let scheduler = try setup.scheduler()
        let flag = CancellationFlag()
        let leader = try scheduler.admit(setup.request(prompt), cancellation: flag)
        let others = try (1...3).map { try scheduler.admit(setup.request(prompt, seed: UInt64($0))) }
        for _ in 0..<2 { scheduler.step() }
        flag.cancel()
        while scheduler.hasWork { scheduler.step() }
        #expect(try leader.outcome?.get().finishReason == .cancelled)
        for (index, other) in others.enumerated() {
            let expected = try setup.alone(setup.request(prompt, seed: UInt64(index + 1)))
            #expect(try other.outcome?.get().tokens == expected.tokens)
        }
    }

    @Test("an answer continues while another prompt is prefilled in short chunks")
    func alternation() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.tokenGap = .zero
        let scheduler = try setup.scheduler(configuration)
        let writer = try scheduler.admit(setup.request(setup.tokens(5, seed: 4), maxTokens: 200))
        for _ in 0..<2 { scheduler.step() }
        let reader = try scheduler.admit(setup.request(setup.tokens(480, seed: 5)))
        var progress: [Int] = []
        var gains: [Int] = []
        while progress.last != 480 {
            scheduler.step()
            reader.takeEvents { if case .promptRead(let tokens, _) = $0 { progress.append(tokens) } }
            writer.takeEvents { if case .text = $0 { gains.append(progress.count) } }
        }
        // Chunks are at most 64 rows, the length before any timings are known.
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $1 - $0 <= 64 })
        #expect(Set(gains).count >= progress.count - 2)
    }

    @Test("the shortest prompt is prefilled first, unless another has waited long enough")
    func order() throws {
        let setup = try SchedulerSetup()
        func reading(_ count: Int, seed: UInt64, waitedRows: Int = 0) throws -> PromptReading {
            let reading = PromptReading(
                Prompt(setup.tokens(count, seed: seed)), usesCache: true, wantsLogits: true,
                into: try setup.model.makeState(capacity: 512))
            reading.waitedRows = waitedRows
            return reading
        }
        let (long, short) = (try reading(400, seed: 1), try reading(30, seed: 2))
        #expect(short.rank < long.rank)
        long.waitedRows = 371
        #expect(long.rank < short.rank)
    }

    // MARK: - Capacity

    @Test("generations above the limit of active ones wait")
    func activeLimit() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.maxActive = 2
        let scheduler = try setup.scheduler(configuration)
        let generations = try (0..<5).map { try scheduler.admit(setup.request(setup.tokens(9, seed: UInt64($0)))) }
        while scheduler.hasWork {
            scheduler.step()
            #expect(generations.count { [.reading, .answering].contains($0.phase) } <= 2)
        }
        #expect(try generations.allSatisfy { try $0.outcome?.get().finishReason == .maxTokens })
    }

    @Test("slots are divided among clients, and background generations take none from others")
    func slotsPerClient() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.maxActive = 4
        let scheduler = try setup.scheduler(configuration)
        func admit(_ client: String, count: Int, isBackground: Bool = false) throws -> [Generation] {
            try (0..<count).map { index in
                var request = setup.request(setup.tokens(9, seed: UInt64(index)), maxTokens: 30)
                (request.client, request.isBackground) = (client, isBackground)
                return try scheduler.admit(request)
            }
        }
        func begun(_ generations: [Generation]) -> Int { generations.count { $0.phase != .waiting } }
        let greedy = try admit("greedy", count: 9)
        let others = [try admit("a", count: 2), try admit("b", count: 2)]
        scheduler.step()
        #expect(begun(greedy) == 2 && others.map(begun) == [1, 1])
        while scheduler.hasGenerations { scheduler.step() }
        let background = try admit("a", count: 9, isBackground: true)
        scheduler.step()
        #expect(begun(background) == 4)
        let awaited = try admit("a", count: 5)
        scheduler.step()
        #expect(begun(background) == 4 && begun(awaited) == 4)
        while scheduler.hasGenerations { scheduler.step() }
        #expect((greedy + others.joined() + background + awaited).allSatisfy { $0.outcome != nil })
    }

    @Test("a generation does not wait for a shared prefix of one that is held back")
    func leaderThatIsHeldBack() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        let time = SharedTime()
        configuration.sharedTime = time
        let scheduler = try setup.scheduler(configuration)
        func admit(_ prompt: [Token], _ client: String, maxTokens: Int, isBackground: Bool = false) throws -> Generation
        {
            var request = setup.request(prompt, maxTokens: maxTokens)
            (request.client, request.isBackground, request.speculates) = (client, isBackground, false)
            return try scheduler.admit(request)
        }
        let answering = try admit(setup.tokens(9, seed: 1), "a", maxTokens: 200)
        while answering.phase != .answering { scheduler.step() }
        let beginning = setup.tokens(300, seed: 2)
        let heldBack = try admit(beginning + [40], "b", maxTokens: 1, isBackground: true)
        let part = SharedTime.Part(of: time)
        part.charge(heldBack.account, .seconds(1000))
        let awaited = try admit(beginning + [41], "c", maxTokens: 1)
        for _ in 0..<100 where awaited.outcome == nil { scheduler.step() }
        #expect(awaited.outcome != nil && heldBack.outcome == nil && answering.outcome == nil)
        while scheduler.hasWork { scheduler.step() }
        #expect(try heldBack.outcome?.get().finishReason == .maxTokens)
    }

    @Test(
        "generations wait while memory is short, and all finish",
        arguments: [1, 8, 64])
    func memory(reservedTokens: Int) throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.reservedTokens = reservedTokens
        configuration.stateBytes = setup.model.stateBytes(positions: 128)
        let scheduler = try setup.scheduler(configuration)
        let requests = (0..<4).map { setup.request(setup.tokens(9, seed: UInt64($0)), maxTokens: nil, sequence: 100) }
        let generations = try requests.map { try scheduler.admit($0) }
        var most = 0
        while scheduler.hasWork {
            scheduler.step()
            let positions = generations.map { $0.outcome == nil ? $0.reservedPositions : 0 }
            let bytes = positions.reduce(0) { $0 + ($1 == 0 ? 0 : setup.model.stateBytes(positions: $1)) }
            // One generation may always continue.
            let largest = setup.model.stateBytes(positions: 100)
            #expect(bytes <= (configuration.stateBytes ?? 0) + largest)
            most = max(most, generations.count { $0.phase == .answering })
        }
        for (request, generation) in zip(requests, generations) {
            #expect(try generation.outcome?.get().tokens == setup.alone(request).tokens)
        }
        #expect(most < 4 || reservedTokens < 64)
    }

    @Test("more answers than fit into a pass take turns")
    func groups() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.maxActive = 40
        let requests = (0..<40).map { setup.request(setup.tokens(7, seed: UInt64($0)), maxTokens: 12) }
        let results = try setup.run(requests, in: setup.scheduler(configuration))
        for (request, result) in zip(requests, results) { #expect(try setup.alone(request).tokens == result.tokens) }
    }

    // MARK: - Pausing and ending

    @Test("a paused generation stops, and resumes with the same tokens")
    func pause() throws {
        let setup = try SchedulerSetup()
        let scheduler = try setup.scheduler()
        let request = setup.request(setup.tokens(9, seed: 1), maxTokens: 20)
        let (paused, other) = (try scheduler.admit(request), try scheduler.admit(setup.request([37], maxTokens: 5)))
        for _ in 0..<4 { scheduler.step() }
        paused.isPaused = true
        while scheduler.hasGenerations { scheduler.step() }
        #expect(paused.outcome == nil && other.outcome != nil)
        paused.isPaused = false
        while scheduler.hasGenerations { scheduler.step() }
        #expect(try paused.outcome?.get().tokens == setup.alone(request).tokens)
    }

    @Test("waiting for the memory of a paused generation does not keep the scheduler busy")
    func memoryOfPaused() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.stateBytes = setup.model.stateBytes(positions: 128)
        let scheduler = try setup.scheduler(configuration)
        let requests = (0..<2).map { setup.request(setup.tokens(200, seed: UInt64($0)), maxTokens: 5) }
        let generations = try requests.map { try scheduler.admit($0) }
        scheduler.step()
        generations[0].isPaused = true
        #expect(!scheduler.hasGenerations)
        scheduler.step()
        #expect(generations.map(\.phase) == [.reading, .waiting])
        generations[0].isPaused = false
        while scheduler.hasGenerations { scheduler.step() }
        for (request, generation) in zip(requests, generations) {
            #expect(try generation.outcome?.get().tokens == setup.alone(request).tokens)
        }
    }

    @Test("a paused generation takes up no active slot")
    func slotOfPaused() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.maxActive = 1
        let scheduler = try setup.scheduler(configuration)
        let generations = try (0..<3).map { try scheduler.admit(setup.request(setup.tokens(9, seed: UInt64($0)))) }
        scheduler.step()
        for generation in generations.prefix(2) { generation.isPaused = true }
        while scheduler.hasGenerations { scheduler.step() }
        #expect(generations.map { $0.outcome != nil } == [false, false, true])
        for generation in generations { generation.isPaused = false }
        while scheduler.hasGenerations { scheduler.step() }
        #expect(generations.allSatisfy { $0.outcome != nil })
    }

    @Test("waiting, prefilling, answering and paused generations are cancelled at the next step")
    func cancellation() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.maxActive = 3
        configuration.chunkSize = 16
        let scheduler = try setup.scheduler(configuration)
        let flag = CancellationFlag()
        let prompts = [5, 400, 9, 7].map { setup.tokens($0, seed: UInt64($0)) }
        let generations = try prompts.map { try scheduler.admit(setup.request($0, maxTokens: 100), cancellation: flag) }
        for _ in 0..<8 { scheduler.step() }
        generations[2].isPaused = true
        #expect(generations.map(\.phase) == [.answering, .reading, .answering, .waiting])
        flag.cancel()
        #expect(scheduler.hasGenerations)
        scheduler.step()
        #expect(try generations.allSatisfy { try $0.outcome?.get().finishReason == .cancelled })
        #expect(scheduler.count == 0)
    }

    @Test("an error ends only its own generation")
    func errors() throws {
        let setup = try SchedulerSetup()
        let scheduler = try setup.scheduler()
        let good = setup.request(setup.tokens(20, seed: 1), maxTokens: 30)
        let neighbour = try scheduler.admit(good)
        let unknownToken = try scheduler.admit(setup.request([37, 100_000]))
        var request = setup.request([37])
        request.sampling.logitBias = Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, -Float.infinity) })
        let excluded = try scheduler.admit(request)
        while scheduler.hasWork { scheduler.step() }
        #expect(throws: GenerationError.self) { try unknownToken.outcome?.get() }
        #expect(throws: GenerationError.self) { try excluded.outcome?.get() }
        #expect(try neighbour.outcome?.get().tokens == setup.alone(good).tokens)
        #expect(throws: GenerationError.self) { try scheduler.admit(setup.request([])) }
        #expect(throws: GenerationError.self) { try scheduler.admit(setup.request(setup.tokens(512, seed: 1))) }
    }

    @Test("a draining scheduler refuses new requests, and finishes the current ones")
    func drain() throws {
        let setup = try SchedulerSetup()
        let scheduler = try setup.scheduler()
        let generation = try scheduler.admit(setup.request([37], maxTokens: 5))
        scheduler.drain()
        #expect {
            try scheduler.admit(setup.request([38]))
        } throws: { "\($0)" == "the model is being unloaded and accepts no more requests: load it again." }
        while scheduler.hasWork { scheduler.step() }
        #expect(try generation.outcome?.get().tokens.count == 5)
    }

    // MARK: - Chunk length

    @Test("chunks fit the allowed gap between tokens, and are full length if no answer waits")
    func chunkLength() {
        var length = ChunkLength(most: 256, gap: .milliseconds(250))
        #expect(length.rows(isAwaited: false) == 256 && length.rows(isAwaited: true) == 64)
        length.learn(rows: 100, .milliseconds(200))
        #expect(length.rows(isAwaited: true) == 96)
        for _ in 0..<30 { length.learn(answers: .milliseconds(100)) }
        #expect(length.rows(isAwaited: true) == 64)
        for _ in 0..<30 { length.learn(rows: 10, .seconds(9)) }
        #expect(length.rows(isAwaited: true) == 32)
        var patient = ChunkLength(most: 256, gap: .milliseconds(250), promptGap: .milliseconds(600))
        // Before there is a measurement, a limited pass is short.
        #expect(patient.rows(isAwaited: false) == 64)
        patient.learn(rows: 256, .seconds(1))
        #expect(patient.rows(isAwaited: false) == 128 && patient.rows(isAwaited: true) == 64)
        patient.learn(rows: 256, .zero)
        #expect(patient.rows(isAwaited: false) > 128)
        for _ in 0..<90 { length.learn(rows: 256, .zero) }
        #expect(length.rows(isAwaited: true) == 256 && length.rows(isAwaited: false) == 256)
    }
}

// MARK: - Support

/// Requests that arrive at random times, some of which are cancelled, paused, or kept in the cache.
private struct Schedule {
    let scheduler: Scheduler
    var random: SeededRandomNumberGenerator

    mutating func run(_ requests: [GenerationRequest]) throws -> [GenerationResult] {
        var generations: [(Generation, CancellationFlag)] = []
        var rest = requests[...]
        while !rest.isEmpty || scheduler.hasWork {
            if let request = rest.first, !scheduler.hasGenerations || chance(of: 6) {
                rest.removeFirst()
                let flag = CancellationFlag()
                generations.append((try scheduler.admit(request, cancellation: flag), flag))
            }
            if chance(of: 60) { generations.randomElement(using: &random)?.1.cancel() }
            for (generation, _) in generations { generation.isPaused = chance(of: 10) }
            // Only while there are generations: without a cache, prompts might be added faster than processed.
            if scheduler.hasGenerations, chance(of: 20) {
                scheduler.remember(requests[0].prompt + requests[0].prompt.tokens)
            }
            scheduler.step()
            for (generation, _) in generations { generation.isPaused = false }
        }
        return try generations.map { try #require($0.0.outcome).get() }
    }

    private mutating func chance(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}
