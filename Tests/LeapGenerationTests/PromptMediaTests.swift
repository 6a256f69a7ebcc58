import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps
import LeapTokenizer
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// Images and audio as elements of a prompt, like tokens.
@Suite("Media in prompts")
struct PromptMediaTests {
    // MARK: - The prompt

    @Test("media take one position per row, and are never split")
    func positions() {
        var prompt: Prompt = [1, 2]
        prompt.append(Self.media(3))
        prompt.append([4])
        #expect(prompt.tokens == [1, 2, Prompt.noToken, Prompt.noToken, Prompt.noToken, 4])
        #expect(prompt.prefix(5).tokens == Array(prompt.tokens.prefix(5)))
        #expect([2, 3, 4].map { prompt.prefix($0) } == [[1, 2], [1, 2], [1, 2]])
        #expect(prompt.prefix(6) == prompt)
        #expect(prompt + [5] != prompt && (prompt + [5]).count == 7)
        prompt.append(Self.media(0))
        #expect(prompt.media.count == 1)
    }

    @Test("states end at segment boundaries or after a run of media, but never inside media")
    func boundaries() {
        var prompt = Prompt([Token](repeating: 40, count: 100))
        prompt.append(Self.media(200))
        prompt.append(Self.media(84))
        #expect(prompt.nextBoundary(after: 0) == 384)
        #expect(prompt.lastBoundary(upTo: 383) == 0 && prompt.lastBoundary(upTo: 384) == 384)
        #expect(prompt.mediaEnds(in: 0..<500) == [384])
        prompt.append([Token](repeating: 40, count: 140))
        prompt.append(Self.media(10))
        prompt.append([Token](repeating: 40, count: 140))
        #expect(prompt.mediaEnds(in: 0..<700) == [384, 534] && prompt.mediaEnds(in: 385..<534).isEmpty)
        #expect([384, 512, 534].map(prompt.nextBoundary) == [512, 534, 640])
        #expect([511, 533, 534, 639].map(prompt.lastBoundary) == [384, 512, 534, 534])
        let text = Prompt([Token](repeating: 40, count: 300))
        #expect([0, 127, 128].map(text.nextBoundary) == [128, 128, 256])
        #expect([127, 128, 300].map(text.lastBoundary) == [0, 128, 256])
    }

    @Test("segments are equal only for the same tokens and the same rows of the same media")
    func segments() {
        func prompt(_ text: Int, _ media: PromptMedia, then token: Token = 50) -> Prompt {
            var prompt = Prompt([Token](repeating: 40, count: text))
            prompt.append(media)
            return prompt + [Token](repeating: token, count: 300)
        }
        let first = prompt(100, Self.media(200))
        #expect(first.segments(upTo: first.count).count == 4)
        #expect(first.segments(upTo: 300) == prompt(100, Self.media(200), then: 51).segments(upTo: 300))
        let others = [
            prompt(100, Self.media(200, name: "another")), prompt(100, Self.media(199)), prompt(99, Self.media(200)),
        ]
        let root = SegmentKey(fingerprint: [1])
        for other in others {
            for (one, two) in zip(first.segments(upTo: 256), other.segments(upTo: 256)) {
                #expect(one != two && SegmentKey(after: root, one) != SegmentKey(after: root, two))
            }
            #expect(!first.agrees(with: other, upTo: 128) && first.agrees(with: other, upTo: 99))
        }
        // The same rows at another position of the prompt make a different segment.
        #expect(first.segments(upTo: 256)[1] != prompt(228, Self.media(200)).segments(upTo: 256)[1])
    }

    // MARK: - Answers

    @Test("media rows equal to token embeddings give the same answer as those tokens", arguments: [1, 7, 130, 300])
    func embeddings(count: Int) throws {
        let setup = try SchedulerSetup()
        let tokens = setup.tokens(count, seed: 1)
        let (start, end) = (setup.tokens(90, seed: 2), setup.tokens(60, seed: 3))
        var prompt = Prompt(start)
        prompt.append(Self.media(count, rows: try Self.embeddings(of: tokens)))
        prompt.append(end)
        let expected = try setup.alone(setup.request(start + tokens + end, maxTokens: 30))
        for chunkSize in [16, 100, 256] {
            var configuration = SchedulerConfiguration()
            configuration.chunkSize = chunkSize
            let scheduler = try setup.scheduler(configuration)
            for _ in 0..<2 {
                #expect(
                    try setup.run([setup.request(prompt, maxTokens: 30)], in: scheduler)[0].tokens == expected.tokens)
            }
        }
    }

    @Test("cached media are not encoded again, and are reused up to their end")
    func cache() throws {
        let setup = try SchedulerSetup()
        let encodings = Mutex(0)
        func prompt(_ rows: Int, then text: Int) -> Prompt {
            var prompt = Prompt(setup.tokens(100, seed: 1))
            prompt.append(
                PromptMedia(digest: Array("picture".utf8), rowCount: rows) { _ in
                    encodings.withLock { $0 += 1 }
                    return setup.rows(rows, seed: 5)
                })
            return prompt + setup.tokens(text, seed: 2)
        }
        let scheduler = try setup.scheduler()
        func ask(_ prompt: Prompt) throws -> Int {
            try setup.run([setup.request(prompt)], in: scheduler)[0].statistics.cachedPromptTokens
        }
        // 100 tokens and 200 rows end inside a segment.
        #expect(try ask(prompt(200, then: 20)) == 0)
        #expect(try ask(prompt(200, then: 20)) == 300)
        #expect(try ask(prompt(200, then: 150)) == 300)
        #expect(try ask(prompt(200, then: 150)) == 384)
        #expect(encodings.withLock { $0 } == 1)
        #expect(try ask(prompt(201, then: 150)) == 0)
        #expect(encodings.withLock { $0 } == 2)
    }

    @Test("a second question about an image reuses it from memory or disk, and gets the same answer as alone")
    func secondQuestion() throws {
        let setup = try SchedulerSetup()
        let folder = try TemporaryFolder()
        let encodings = Mutex(0)
        func prompt(_ question: UInt64, _ count: Int) -> Prompt {
            var prompt = Prompt(setup.tokens(10, seed: 1))
            prompt.append(
                PromptMedia(digest: [4], rowCount: 256) { _ in
                    encodings.withLock { $0 += 1 }
                    return setup.rows(256, seed: 5)
                })
            return prompt + setup.tokens(count, seed: question)
        }
        let second = prompt(3, 40)
        let expected = try setup.alone(setup.request(second)).tokens
        encodings.withLock { $0 = 0 }
        // Keeps the folder alive, as the store may still be writing when the test ends.
        let disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: 100) {
            [folder] in Issue.record("\(folder.url.path): \($0)")
        }
        func makeScheduler(_ memory: PrefixCacheLimits = PrefixCacheLimits()) throws -> Scheduler {
            try Scheduler(
                model: setup.model, tokenizer: setup.tokenizer, compute: setup.compute,
                caching: PrefixCacheConfiguration(memory: memory, disk: disk))
        }
        func ask(_ prompt: Prompt, _ scheduler: Scheduler) throws -> Int {
            let result = try setup.run([setup.request(prompt)], in: scheduler)[0]
            #expect((result.tokens == expected) == (prompt.count == second.count))
            return result.statistics.cachedPromptTokens
        }
        let scheduler = try makeScheduler()
        #expect(try ask(prompt(2, 30), scheduler) == 0)
        #expect(try ask(second, scheduler) == 266)
        scheduler.flushCache()
        for memory in [PrefixCacheLimits(), .none] { #expect(try ask(second, makeScheduler(memory)) == 266) }
        #expect(encodings.withLock { $0 } == 1)
    }

    @Test("of concurrent prompts with the same media, one encodes them and the others wait")
    func leader() throws {
        let setup = try SchedulerSetup()
        let encodings = Mutex(0)
        let prompts = (0..<3).map { index in
            var prompt = Prompt(setup.tokens(100, seed: 1))
            prompt.append(
                PromptMedia(digest: [9], rowCount: 250) { _ in
                    encodings.withLock { $0 += 1 }
                    return setup.rows(250, seed: 5)
                })
            return prompt + setup.tokens(60, seed: 2) + setup.tokens(20, seed: UInt64(10 + index))
        }
        let results = try setup.run(prompts.map { setup.request($0) }, in: setup.scheduler())
        #expect(encodings.withLock { $0 } == 1)
        // Up to the end of the image, then up to the segment boundary after which they differ.
        #expect(results.map(\.statistics.cachedPromptTokens).sorted() == [0, 384, 384])
        for (prompt, result) in zip(prompts, results) {
            #expect(try setup.alone(setup.request(prompt)).tokens == result.tokens)
        }
    }

    // MARK: - Faults

    private struct Broken: Error, CustomStringConvertible {
        let description = "the picture is torn"
    }

    @Test("an encoder that fails or returns wrong rows ends only its own generation")
    func errors() throws {
        let setup = try SchedulerSetup()
        let width = setup.model.configuration.embeddingLength
        let cases: [(encode: PromptMedia.Encode, message: String)] = [
            ({ _ in throw Broken() }, "an image or audio input of the prompt cannot be encoded: the picture is torn"),
            (
                { _ in [] },
                "an image or audio input of the prompt cannot be encoded: its encoder produced 0 rows, but had announced 2"
            ),
            (
                { _ in [[Float](repeating: 0, count: width), [1]] },
                "an embedding row has 1 values, but the model needs \(width)"
            ),
        ]
        for (encode, message) in cases {
            let scheduler = try setup.scheduler()
            var prompt: Prompt = [40]
            prompt.append(PromptMedia(digest: [1], rowCount: 2, encode: encode))
            let (broken, sound) = (setup.request(prompt), setup.request([40, 41]))
            let generations = try [sound, broken].map { try scheduler.admit($0) }
            while scheduler.hasWork { scheduler.step() }
            #expect(throws: GenerationError.self) { try generations[1].outcome?.get() }
            if case .failure(let error) = generations[1].outcome { #expect(error.description == message) }
            #expect(try generations[0].outcome?.get().tokens == setup.alone(sound).tokens)
        }
    }

    @Test("a generation cancelled while its media are encoded ends as cancelled")
    func cancellation() throws {
        let setup = try SchedulerSetup()
        let flag = CancellationFlag()
        var prompt: Prompt = [40]
        prompt.append(
            PromptMedia(digest: [1], rowCount: 2) { isCancelled in
                flag.cancel()
                return isCancelled() ? nil : [[0], [0]]
            })
        let scheduler = try setup.scheduler()
        let generation = try scheduler.admit(setup.request(prompt), cancellation: flag)
        while scheduler.hasWork { scheduler.step() }
        #expect(try generation.outcome?.get().finishReason == .cancelled)
    }

    /// Is left damaged when it is cancelled, like a layer that is computed in place.
    private final class FragileEncoding: MediaEncoding {
        private let rows: [[Float]]
        private let cancel: () -> Void
        private var isDamaged = false

        init(_ rows: [[Float]], cancel: @escaping () -> Void) {
            self.rows = rows
            self.cancel = cancel
        }

        var progress: Double { 0 }

        func advance(_ isCancelled: () -> Bool) throws -> [[Float]]? {
            cancel()
            if isCancelled() {
                isDamaged = true
                return nil
            }
            return isDamaged ? rows.map { $0.map { $0 + 1 } } : rows
        }
    }

    /// Has its rows once another thread has finished something.
    private final class WaitingEncoding: MediaEncoding {
        private let rows: [[Float]]
        private let isReady: () -> Bool
        private(set) var advances = 0

        init(_ rows: [[Float]], isReady: @escaping () -> Bool) {
            self.rows = rows
            self.isReady = isReady
        }

        var progress: Double { 0 }

        var isWaiting: Bool { !isReady() }

        func advance(_ isCancelled: () -> Bool) throws -> [[Float]]? {
            advances += 1
            return isReady() ? rows : nil
        }
    }

    @Test("encoding that waits for another thread returns at once")
    func waiting() throws {
        let rows: [[Float]] = [[1, 2], [3, 4]]
        let isReady = Mutex(false)
        let encoding = WaitingEncoding(rows) { isReady.withLock(\.self) }
        nonisolated(unsafe) let shared = encoding
        let media = PromptMedia(digest: [1], rowCount: 2) { _ in shared as any MediaEncoding }
        var made = MediaRows()
        #expect(try !made.make([media], for: .seconds(60)) { false })
        #expect(encoding.advances == 1 && made.isWaiting)
        isReady.withLock { $0 = true }
        #expect(!made.isWaiting)
        #expect(try made.make([media], for: .seconds(60)) { false })
        #expect(encoding.advances == 2 && made[media] == rows && !made.isWaiting)
    }

    @Test("longer prompts are read while media wait for another thread")
    func readingMeanwhile() throws {
        let setup = try SchedulerSetup()
        let rows = setup.rows(2, seed: 5)
        let isReady = Mutex(false)
        var prompt: Prompt = [40]
        prompt.append(
            PromptMedia(digest: [1], rowCount: 2) { _ in
                WaitingEncoding(rows) { isReady.withLock(\.self) } as any MediaEncoding
            })
        let (waiting, other) = (setup.request(prompt), setup.request(setup.tokens(300, seed: 1)))
        let scheduler = try setup.scheduler()
        let generations = try [waiting, other].map { try scheduler.admit($0) }
        for _ in 0..<1000 where generations[1].outcome == nil { scheduler.step() }
        #expect(generations[0].outcome == nil)
        #expect(try generations[1].outcome?.get().tokens == setup.alone(other).tokens)
        isReady.withLock { $0 = true }
        while scheduler.hasWork { scheduler.step() }
        #expect(try generations[0].outcome?.get().tokens == setup.alone(waiting).tokens)
    }

    @Test("encoding starts over after a cancellation")
    func restartsAfterCancellation() throws {
        let rows: [[Float]] = [[1, 2], [3, 4]]
        nonisolated(unsafe) var isCancelled = false
        nonisolated(unsafe) var cancels = true
        let media = PromptMedia(digest: [1], rowCount: 2) { _ in
            FragileEncoding(rows) { if cancels { isCancelled = true } } as any MediaEncoding
        }
        var made = MediaRows()
        #expect(try !made.make([media], for: .seconds(1)) { isCancelled })
        #expect(made[media] == nil)
        (isCancelled, cancels) = (false, false)
        #expect(try made.make([media], for: .seconds(1)) { isCancelled })
        #expect(made[media] == rows)
    }

    @Test("the cache keeps the digests of media, but not their encoders")
    func forgotten() throws {
        final class File: Sendable {}
        let setup = try SchedulerSetup()
        let rows = setup.rows(200, seed: 5)
        weak var file: File?
        let scheduler = try setup.scheduler()
        func see() throws -> GenerationResult {
            let made = File()
            file = made
            var prompt = Prompt(setup.tokens(10, seed: 1))
            prompt.append(
                PromptMedia(digest: [7], rowCount: 200) { _ in
                    withExtendedLifetime(made) { rows }
                })
            prompt.append(setup.tokens(60, seed: 2))
            return try setup.run([setup.request(prompt, maxTokens: 3)], in: scheduler)[0]
        }
        #expect(try see().statistics.cachedPromptTokens == 0)
        #expect(file == nil)
        #expect(try see().statistics.cachedPromptTokens >= 210)
    }

    @Test("media of different owners have different digests")
    func owners() throws {
        let seen = Mutex<Set<[UInt8]>>([])
        func prompt(_ owner: String?) -> Prompt {
            var prompt: Prompt = [40]
            prompt.append(
                PromptMedia(digest: [1], rowCount: 1) { digest in
                    seen.withLock { _ = $0.insert(digest) }
                    return FragileEncoding([[0]]) {} as any MediaEncoding
                })
            if let owner { prompt.belong(to: owner) }
            return prompt
        }
        for owner in [nil, "a", "b", "a"] { _ = try prompt(owner).media[0].media.rows() }
        #expect(seen.withLock { $0.count } == 3 && seen.withLock { $0.contains([1]) })
        #expect(prompt("a") == prompt("a") && prompt("a") != prompt("b") && prompt("a").owner == "a")
    }

    @Test("without a cache, remembering a prompt is no work")
    func nothingKept() throws {
        let setup = try SchedulerSetup()
        let scheduler = try setup.scheduler(memory: .none)
        scheduler.remember(Prompt(setup.tokens(300, seed: 1)))
        #expect(!scheduler.hasWork)
        let other = try setup.scheduler()
        other.remember(Prompt(setup.tokens(300, seed: 1)))
        #expect(other.hasWork)
    }

    // MARK: - Concurrency

    /// Takes 60 ms for each of eight parts.
    private final class SlowEncoding: MediaEncoding {
        private let rows: [[Float]]
        private var done = 0

        init(_ rows: [[Float]]) { self.rows = rows }

        var progress: Double { Double(done) / 8 }

        func advance(_ isCancelled: () -> Bool) throws -> [[Float]]? {
            Thread.sleep(forTimeInterval: 0.06)
            done += 1
            return done == 8 ? rows : nil
        }
    }

    @Test("an answer continues while an image for another is encoded, with progress reported")
    func interleaving() throws {
        let setup = try SchedulerSetup()
        let rows = setup.rows(100, seed: 5)
        var prompt = Prompt(setup.tokens(10, seed: 1))
        prompt.append(PromptMedia(digest: [7], rowCount: 100) { _ in SlowEncoding(rows) })
        prompt.append(setup.tokens(10, seed: 2))
        let scheduler = try setup.scheduler()
        let answer = try scheduler.admit(setup.request(setup.tokens(5, seed: 3), maxTokens: 200))
        for _ in 0..<4 { scheduler.step() }
        let seeing = try scheduler.admit(setup.request(prompt, maxTokens: 5))
        var (tokens, progress): (Int, [Int]) = (0, [])
        while progress.last != prompt.count, scheduler.hasWork {
            scheduler.step()
            answer.takeEvents { if case .text = $0 { tokens += 1 } }
            seeing.takeEvents { if case .promptRead(let tokens, _) = $0 { progress.append(tokens) } }
        }
        // Eight parts, with a step of the answer between them.
        #expect(tokens >= 6)
        #expect(progress == progress.sorted() && Set(progress).count >= 6)
        while scheduler.hasWork { scheduler.step() }
        #expect(try seeing.outcome?.get().tokens == setup.alone(setup.request(prompt, maxTokens: 5)).tokens)
    }

    // MARK: - Support

    private static func media(_ rowCount: Int, name: String = "a", rows: [[Float]] = []) -> PromptMedia {
        PromptMedia(digest: Array(name.utf8), rowCount: rowCount) { _ in rows }
    }

    /// Rows of the fixture's embedding matrix, which is in single precision.
    private static func embeddings(of tokens: [Token]) throws -> [[Float]] {
        let file = try GGUFFile(path: Fixture(name: "lfm2-tied-f32").path)
        let tensor = try #require(file.tensor(named: "token_embd.weight"))
        let width = tensor.dimensions[0]
        return withExtendedLifetime(file) {
            let floats = tensor.bytes.bindMemory(to: Float.self)
            return tokens.map { Array(floats[Int($0) * width..<(Int($0) + 1) * width]) }
        }
    }
}
