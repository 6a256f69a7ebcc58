import Foundation
import LeapDigest
import LeapGGUF
import LeapModels
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// How cache files are bound to their model, size limits of the folder, and replacement of damaged files.
@Suite("Cache folder")
struct CacheFolderTests {
    private static let whole = 2 * StateSegment.length

    // MARK: - Models

    /// A copy of the model with one bit of a tensor flipped, far from the tensor's beginning, middle and end.
    private func writeTwin(in folder: TemporaryFolder) throws -> String {
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: cachedFixture.path)))
        let file = try GGUFFile(path: cachedFixture.path)
        let tensor = try #require(file.tensors.max { $0.byteCount < $1.byteCount })
        try #require(tensor.byteCount > 4096)
        bytes[tensor.fileOffset + tensor.byteCount / 4] ^= 1
        return try folder.write("twin.gguf", bytes)
    }

    @Test("two models that differ in one bit never share a segment", arguments: [nil, 0] as [Int?])
    func twins(smallModelSize: Int?) throws {
        let (folder, models) = (try TemporaryFolder(), try TemporaryFolder())
        let twin = try writeTwin(in: models)
        let first = try generator(folder, smallModelSize: smallModelSize)
        _ = try first.generate(request(seed: 1))
        first.flushCache()
        let second = try generator(folder, model: twin, smallModelSize: smallModelSize)
        for seed in [2, 1] as [UInt64] {
            #expect(try second.generate(request(seed: seed)).statistics.cachedPromptTokens == 0)
            second.flushCache()
        }
        #expect(try folder.content.count { $0.hasSuffix(".kv") } == 6)
    }

    @Test("segments computed before a large model's digest is known are written after, and found by later runs")
    func largeModel() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder, smallModelSize: 0)
        let cold = try first.generate(request(seed: 1))
        #expect(cold.statistics.cachedPromptTokens == 0)
        first.flushCache()
        #expect(try folder.content.map { $0.suffix(3) }.sorted() == [".id", ".kv", ".kv"])
        let warm = try generator(folder, smallModelSize: 0).generate(request(seed: 1))
        #expect(warm.statistics.cachedPromptTokens == Self.whole && warm.tokens == cold.tokens)
    }

    @Test("a damaged digest file is ignored and written again")
    func damagedNote() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder, smallModelSize: 0)
        _ = try first.generate(request(seed: 1))
        first.flushCache()
        let note = folder.path(try #require(folder.content.first { $0.hasSuffix(".id") }))
        let good = try Data(contentsOf: URL(filePath: note))
        var flipped = good
        flipped[3] ^= 4
        for damaged in [flipped, good.prefix(40), good + Data([0]), Data(count: good.count)] {
            try damaged.write(to: URL(filePath: note))
            let next = try generator(folder, memory: .none, smallModelSize: 0)
            _ = try next.generate(request(seed: 1))
            next.flushCache()
            #expect(try Data(contentsOf: URL(filePath: note)) == good)
        }
        #expect(try folder.content.count == 3)
    }

    @Test(
        "a model file written a moment ago gets no digest file, as it may change unnoticed")
    func youngModel() throws {
        let (folder, models) = (try TemporaryFolder(), try TemporaryFolder())
        let first = try generator(folder, model: try writeTwin(in: models), smallModelSize: 0)
        _ = try first.generate(request(seed: 1))
        first.flushCache()
        #expect(try folder.content.map { $0.suffix(3) } == [".kv", ".kv"])
    }

    @Test("digests of a mapped file, a copy in memory and bytes are equal")
    func digests() throws {
        let temporary = try TemporaryFolder()
        let folder = CacheFolder(path: temporary.url.path)
        let path = cachedFixture.path
        let files = [
            try GGUFFile(path: path), try GGUFFile(path: path, useMmap: false),
            try GGUFFile(bytes: [UInt8](Data(contentsOf: URL(filePath: path))), name: "bytes"),
        ]
        let content = try Data(contentsOf: URL(filePath: path)).prefix(files[0].contentSize)
        let expected = Array(SHA256.hash(data: Array(SHA256.hash(data: content))))
        for file in files {
            for size in [Int.max, 0] {
                #expect(ContentDigest(of: file, in: folder, smallSize: size).wait() == expected)
            }
        }
    }

    @Test("cancelling a digest releases its waiters, and all get the same value")
    func cancelled() throws {
        let temporary = try TemporaryFolder()
        let folder = CacheFolder(path: temporary.url.path)
        let file = try GGUFFile(path: cachedFixture.path)
        for _ in 0..<20 {
            let digest = ContentDigest(of: file, in: folder, smallSize: 0)
            digest.cancel()
            // It may have finished before.
            let values = [digest.wait(), digest.wait(), digest.value]
            #expect(Set(values).count == 1)
        }
    }

    // MARK: - Damage

    /// Kinds of damage to a file.
    enum Damage: CaseIterable {
        case flipped, cut, deleted, emptied

        func apply(to path: String) throws {
            let url = URL(filePath: path)
            var data = try Data(contentsOf: url)
            switch self {
            case .flipped: data[data.count / 2] ^= 1
            case .cut: data = data.prefix(data.count / 2)
            case .deleted: return try FileManager.default.removeItem(at: url)
            case .emptied: data = Data()
            }
            try data.write(to: url)
        }
    }

    @Test("a chain with any damaged files is complete again after one run", arguments: Damage.allCases)
    func healing(damage: Damage) throws {
        let folder = try TemporaryFolder()
        let request = request(seed: 1, segments: 3)
        let first = try generator(folder)
        let cold = try first.generate(request)
        first.flushCache()
        let files = try folder.content
        try #require(files.count == 3)
        for set in 1..<8 {
            for (index, file) in files.enumerated() where set >> index & 1 == 1 {
                try damage.apply(to: folder.path(file))
            }
            let healer = try generator(folder)
            let healed = try healer.generate(request)
            #expect(healed.tokens == cold.tokens && healed.statistics.cachedPromptTokens < 3 * StateSegment.length)
            healer.flushCache()
            let warmer = try generator(folder)
            let warm = try warmer.generate(request)
            #expect(warm.tokens == cold.tokens && warm.statistics.cachedPromptTokens == 3 * StateSegment.length)
            // It gives the files new times, and would write again what is removed meanwhile.
            warmer.flushCache()
        }
        #expect(try folder.content == files)
    }

    // MARK: - Limits

    private func bytes(in folder: TemporaryFolder) throws -> Int {
        try folder.content.reduce(0) { try $0 + Data(contentsOf: URL(filePath: folder.path($1))).count }
    }

    @Test("the byte limit is obeyed, and the most recently used segments are kept")
    func byteCap() throws {
        let folder = try TemporaryFolder()
        let probe = try generator(folder)
        _ = try probe.generate(request(seed: 1))
        probe.flushCache()
        let size = try bytes(in: folder) / 2
        // Segments left by a generator with a larger limit go first.
        let cached = try generator(folder, memory: .none, maxBytes: 5 * size - 1)
        for seed in [2, 3, 2, 4] as [UInt64] {
            _ = try cached.generate(request(seed: seed))
            cached.flushCache()
            #expect(try bytes(in: folder) < 5 * size)
            // File system timestamps have a limited resolution.
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(try folder.content.count == 4)
        let next = try generator(folder, memory: .none)
        for (seed, count) in [(2, Self.whole), (4, Self.whole), (3, 0), (1, 0)] as [(UInt64, Int)] {
            #expect(try next.generate(request(seed: seed)).statistics.cachedPromptTokens == count, "\(seed)")
        }
    }

    @Test("a smaller limit applies when the folder is opened, and one below a file's size keeps nothing")
    func smallerCap() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        for seed in 1...3 { _ = try first.generate(request(seed: UInt64(seed))) }
        first.flushCache()
        #expect(try folder.content.count == 6)
        try generator(folder, maxEntries: 4).flushCache()
        #expect(try folder.content.count == 4)
        let none = try generator(folder, maxBytes: 100)
        _ = try none.generate(request(seed: 1))
        none.flushCache()
        #expect(try folder.content.isEmpty)
    }

    /// Dates all files of a folder as if they had been used at some time.
    private func date(_ folder: TemporaryFolder, daysAhead: Double) throws {
        for name in try folder.content {
            let path = folder.path(name)
            let date = try #require(FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
            try FileManager.default.setAttributes(
                [.modificationDate: date.addingTimeInterval(daysAhead * 86400)], ofItemAtPath: path)
        }
    }

    @Test("files of a time when the clock was ahead make room for new ones", arguments: [false, true])
    func clockAhead(diskIsFull: Bool) throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        _ = try first.generate(request(seed: 1))
        first.flushCache()
        try date(folder, daysAhead: 400)
        var disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: diskIsFull ? 100 : 2) {
            Issue.record("\($0)")
        }
        disk.beforeWriting = {
            if diskIsFull, try folder.content.count >= 2 {
                throw CacheFolder.Failure("write", "file", code: ENOSPC)
            }
        }
        let second = try generator(disk)
        _ = try second.generate(request(seed: 2))
        second.flushCache()
        #expect(try folder.content.count == 2)
        let next = try generator(folder, memory: .none)
        for (seed, count) in [(2, Self.whole), (1, 0)] as [(UInt64, Int)] {
            #expect(try next.generate(request(seed: seed)).statistics.cachedPromptTokens == count, "\(seed)")
        }
        next.flushCache()
    }

    @Test("a time of use is believed up to a minute from now")
    func latestTime() {
        let now = UseTime.now
        #expect(now < .latest && now.behind(seconds: -30) < .latest && now.behind(seconds: -90) > .latest)
        func entry(_ time: UseTime) -> CacheFolder.Entry { .init(name: "", byteCount: 0, lastUse: time) }
        #expect(entry(now.behind()).wasUsed(before: now) && !entry(now.behind(seconds: -30)).wasUsed(before: now))
        #expect(entry(now.behind(seconds: -90)).wasUsed(before: now))
    }

    @Test("of a prompt that does not fit into the folder, the beginning is kept")
    func largePrompt() throws {
        let folder = try TemporaryFolder()
        for known in [0, 2, 2] {
            let cached = try generator(folder, maxEntries: 2)
            let result = try cached.generate(request(seed: 1, segments: 3))
            #expect(result.statistics.cachedPromptTokens == known * StateSegment.length)
            cached.flushCache()
        }
    }

    @Test("a beginning that many prompts share outlives what follows it, also if it is found in memory")
    func sharedBeginning() throws {
        let folder = try TemporaryFolder()
        let beginning = Array(request(seed: 1).prompt.tokens.prefix(Self.whole))
        let requests = (2..<10).map { request(seed: $0, segments: 1, behind: beginning) }
        let cached = try generator(folder, maxEntries: 4)
        for request in requests { _ = try cached.generate(request) }
        cached.flushCache()
        #expect(try folder.content.count == 4)
        let next = try generator(folder, memory: .none, maxEntries: 4)
        for (request, known) in [(requests[7], 3), (requests[6], 3), (requests[0], 2)] {
            let result = try next.generate(request)
            #expect(result.statistics.cachedPromptTokens == known * StateSegment.length)
        }
    }

    @Test("if the folder is removed, prompts in memory are written again when they are used")
    func removedFolder() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("cache")
        let disk = PrefixCacheConfiguration.Disk(path: path, maxEntries: 100) { Issue.record("\($0)") }
        let cached = try generator(disk)
        for _ in 0..<2 {
            _ = try cached.generate(request(seed: 1))
            cached.flushCache()
            let reader = try generator(disk)
            let next = try reader.generate(request(seed: 1))
            #expect(next.statistics.cachedPromptTokens == Self.whole)
            reader.flushCache()
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("what was evicted is not written again for prompts in memory")
    func evictedInUse() throws {
        let folder = try TemporaryFolder()
        let writes = Mutex(0)
        var disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: 1) { Issue.record("\($0)") }
        disk.beforeWriting = { writes.withLock { $0 += 1 } }
        let cached = try generator(disk)
        for _ in 0..<3 {
            _ = try cached.generate(request(seed: 1, segments: 3))
            cached.flushCache()
            // The second is written and evicted, and so the third would be of no use.
            #expect(writes.withLock { $0 } == 2)
        }
        #expect(try folder.content.count == 1)
    }

    @Test("segments behind another are older by steps, across seconds too")
    func useTimes() {
        let time = UseTime(timespec(tv_sec: 5, tv_nsec: 1500))
        func behind(_ segments: Int) -> [Int] {
            let time = time.behind(segments)
            return [time.seconds, time.nanoseconds]
        }
        #expect(behind(0) == [5, 1500] && behind(1) == [5, 500] && behind(2) == [4, 999_999_500])
        #expect(behind(2_000_000) == [3, 1500] && behind(2_000_002) == [2, 999_999_500])
        #expect(time.behind() < time && time.behind(2) < time.behind())
    }

    @Test("several caches that evict in one folder at once obey the limit, and answers do not change")
    func sharedFolder() async throws {
        let folder = try TemporaryFolder()
        var expected: [UInt64: [Int32]] = [:]
        for seed in 1...6 {
            let seed = UInt64(seed)
            expected[seed] = try generator(TemporaryFolder(), memory: .none).generate(request(seed: seed)).tokens
        }
        let answers = expected
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<3 {
                group.addTask {
                    let cached = try generator(folder, memory: .none, maxEntries: 5)
                    for round in 0..<12 {
                        let seed = UInt64((round * 5 + task * 3) % 6 + 1)
                        #expect(try cached.generate(request(seed: seed)).tokens == answers[seed])
                    }
                    cached.flushCache()
                }
            }
            try await group.waitForAll()
        }
        try generator(folder, maxEntries: 5).flushCache()
        let names = try folder.content
        #expect(names.count <= 5 && names.allSatisfy { $0.hasSuffix(".kv") })
    }
}
