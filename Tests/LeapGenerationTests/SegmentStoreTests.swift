import Foundation
import LeapBlocks
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import LeapTokenizer
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// Segments that were written are found again, in this process and in the next. Any other file is removed and never
/// used.
@Suite("Segment store")
struct SegmentStoreTests {
    @Test("a second generator reuses the segments of the first, with the same answer")
    func restart() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try generator(folder), try generator(folder))
        let request = request(seed: 1)
        let cold = try first.generate(request)
        #expect(cold.statistics.cachedPromptTokens == 0)
        first.flushCache()
        let warm = try second.generate(request)
        #expect(warm.statistics.cachedPromptTokens == 2 * StateSegment.length)
        #expect(warm.tokens == cold.tokens)
    }

    @Test("a generator without a memory cache still writes and reuses segments")
    func diskOnly() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder, memory: .none)
        let cold = try first.generate(request(seed: 1))
        first.flushCache()
        let warm = try generator(folder, memory: .none).generate(request(seed: 1))
        #expect(warm.statistics.cachedPromptTokens == 2 * StateSegment.length)
        #expect(warm.tokens == cold.tokens)
    }

    @Test("segments are not reused by another model or at another kernel level")
    func foreign() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        _ = try first.generate(request(seed: 1))
        first.flushCache()
        for other in [Fixture(name: "lfm2-untied-f16"), Fixture(name: "llama-tied-f32")] {
            let result = try generator(folder, model: other.path).generate(request(seed: 1))
            #expect(result.statistics.cachedPromptTokens == 0)
        }
        let levels = Kernels.available.filter { $0.level != Kernels.best.level }
        for level in levels {
            let result = try generator(folder, kernels: level).generate(request(seed: 1))
            #expect(result.statistics.cachedPromptTokens == 0)
        }
    }

    @Test("segments of every KV cache type survive a restart, and are not reused with another type", arguments: types)
    func everyType(types: KeyValueTypes) throws {
        let folder = try TemporaryFolder()
        let fixture = Fixture(name: "lfm2-k-quants")
        let first = try generator(folder, model: fixture.path, types: types)
        let cold = try first.generate(request(seed: 1))
        first.flushCache()
        let warm = try generator(folder, model: fixture.path, types: types).generate(request(seed: 1))
        #expect(warm.statistics.cachedPromptTokens == 2 * StateSegment.length)
        #expect(warm.tokens == cold.tokens)
        for other in Self.types where other != types {
            let cached = try generator(folder, model: fixture.path, types: other)
            #expect(try cached.generate(request(seed: 1)).statistics.cachedPromptTokens == 0)
            cached.flushCache()
        }
    }

    private static let types =
        KeyValueType.allCases.map { KeyValueTypes($0) } + [KeyValueTypes(keys: .q8_0, values: .f16)]

    @Test("a file is bound to its KV cache types, even if another type has the same size")
    func fileOfOtherTypes() throws {
        func state(_ type: KeyValueType) throws -> SequenceState {
            let file = try GGUFFile(path: Fixture(name: "lfm2-k-quants").path)
            let model = try LanguageModel.load(file, keyType: type, valueType: type)
            let state = try model.makeState(capacity: 256)
            var batch = Batch(of: .prompt)
            batch.append(tokens: [Int32](repeating: 40, count: StateSegment.length), to: state, wantsLogits: false)
            try model.forward(batch, Compute(threads: 1))
            return state
        }
        let (half, brain) = (try state(.f16), try state(.bf16))
        let segment = try #require(half.finishedSegments().last)
        let file = SegmentFile(
            key: SegmentKey(fingerprint: [UInt8](repeating: 7, count: 32)))
        var data = Data()
        try file.forEachPiece(of: segment) { data.append(contentsOf: $0) }
        #expect(segment.byteCount == brain.finishedSegments().last?.byteCount)
        #expect(file.segment(in: data, for: half) != nil)
        #expect(file.segment(in: data, for: brain) == nil)
    }

    @Test("an unwritable folder causes one warning and does not change answers")
    func unwritable() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        try Data("no folder".utf8).write(to: URL(filePath: path))
        let warnings = Mutex<[String]>([])
        let cached = try generator(
            PrefixCacheConfiguration.Disk(path: path, maxEntries: 100) { text in warnings.withLock { $0.append(text) } }
        )
        let first = try cached.generate(request(seed: 1))
        _ = try cached.generate(request(seed: 2))
        cached.flushCache()
        #expect(first.tokens == (try generator(folder).generate(request(seed: 1)).tokens))
        let texts = warnings.withLock { $0 }
        #expect(texts.count == 1)
        let start = "the cache folder '\(path)' cannot be written, so new entries are kept only in memory: "
        #expect(texts.first?.hasPrefix(start) == true)
    }

    @Test("after a failure, writing is tried again, and what is in memory is written when it is used")
    func transientFailure() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("cache", "no folder")
        let warnings = Mutex(0)
        var disk = PrefixCacheConfiguration.Disk(path: path, maxEntries: 100) { _ in warnings.withLock { $0 += 1 } }
        disk.retryPauses = .zero ... .zero
        let cached = try generator(disk)
        for seed in 1...2 { _ = try cached.generate(request(seed: UInt64(seed))) }
        cached.flushCache()
        try FileManager.default.removeItem(atPath: path)
        for seed in 2...3 { _ = try cached.generate(request(seed: UInt64(seed))) }
        cached.flushCache()
        #expect(warnings.withLock { $0 } == 1)
        let next = try generator(disk)
        for (seed, known) in [(1, 0), (2, 2), (3, 2)] as [(UInt64, Int)] {
            let result = try next.generate(request(seed: seed))
            #expect(result.statistics.cachedPromptTokens == known * StateSegment.length, "\(seed)")
        }
        next.flushCache()
    }

    @Test("pauses after failures are twice as long every time, up to a limit, until a file is written")
    func pauses() {
        var pause = WritePause(.seconds(60) ... .seconds(3600))
        #expect(pause.isOver)
        for length in [60, 120, 240, 480, 960, 1920, 3600, 3600] {
            pause.begin()
            #expect(pause.length == .seconds(length) && !pause.isOver)
        }
        pause.forget()
        #expect(pause.isOver)
        pause.begin()
        #expect(pause.length == .seconds(60) && !pause.isOver)
    }

    @Test("during a pause nothing is written, but what is there is read")
    func paused() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        _ = try first.generate(request(seed: 1))
        first.flushCache()
        let attempts = Mutex(0)
        var disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: 100) { _ in }
        disk.beforeWriting = {
            attempts.withLock { $0 += 1 }
            throw CacheFolder.Failure("write", "file", code: EIO)
        }
        let second = try generator(disk)
        for seed in 2...4 {
            _ = try second.generate(request(seed: UInt64(seed)))
            second.flushCache()
        }
        #expect(attempts.withLock { $0 } == 1)
        let result = try second.generate(request(seed: 1))
        #expect(result.statistics.cachedPromptTokens == 2 * StateSegment.length)
    }

    @Test("on a full disk, the oldest files make room for new ones", arguments: [ENOSPC, EDQUOT])
    func fullDisk(code: CInt) throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        for seed in 1...2 { _ = try first.generate(request(seed: UInt64(seed))) }
        first.flushCache()
        var disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: 100) { Issue.record("\($0)") }
        disk.beforeWriting = {
            if try folder.content.count >= 4 { throw CacheFolder.Failure("write", "file", code: code) }
        }
        let second = try generator(disk)
        _ = try second.generate(request(seed: 3))
        second.flushCache()
        let next = try generator(folder)
        for (seed, known) in [(1, 0), (2, 2), (3, 2)] as [(UInt64, Int)] {
            let result = try next.generate(request(seed: seed))
            #expect(result.statistics.cachedPromptTokens == known * StateSegment.length, "\(seed)")
        }
        next.flushCache()
    }

    @Test("on a disk that others have filled, one warning comes, and no more is removed than a file needs")
    func foreignFullDisk() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        for seed in 1...2 { _ = try first.generate(request(seed: UInt64(seed))) }
        first.flushCache()
        let warnings = Mutex<[String]>([])
        var disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: 100) { text in
            warnings.withLock { $0.append(text) }
        }
        disk.beforeWriting = { throw CacheFolder.Failure("write", "file", code: ENOSPC) }
        let second = try generator(disk)
        for seed in 3...5 { _ = try second.generate(request(seed: UInt64(seed))) }
        second.flushCache()
        #expect(try folder.content.count == 3)
        #expect(warnings.withLock { $0.map { $0.contains("write 'file'") } } == [true])
    }

    @Test("a scheduler that is dropped before its model's digest is known takes its segments with it")
    func dropped() async throws {
        let folder = try TemporaryFolder()
        let setup = try SchedulerSetup()
        weak var store: SegmentStore?
        func answer() throws {
            let disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: 10) { Issue.record("\($0)") }
            // Reads until it is cancelled, as if the file were endless.
            let content = ContentDigest { isCancelled in
                while !isCancelled() { Thread.sleep(forTimeInterval: 0.001) }
                return nil
            }
            let sizes = SegmentFile.Sizes(of: try setup.model.makeState(capacity: 512))
            let made = SegmentStore(disk, content: content, sizes: sizes) { $0 }
            store = made
            let scheduler = try setup.scheduler()
            scheduler.cache = PrefixCache(limits: .none, store: made)
            _ = try setup.run([setup.request(setup.tokens(300, seed: 1))], in: scheduler)
        }
        try answer()
        try await eventually { store == nil }
        #expect(try folder.content.isEmpty)
    }

    @Test("the limit on files is obeyed, and the most recently used are kept")
    func cap() throws {
        let folder = try TemporaryFolder()
        let cached = try generator(folder, maxEntries: 3)
        for seed in 1...4 { _ = try cached.generate(request(seed: UInt64(seed))) }
        cached.flushCache()
        #expect(try folder.content.count == 3)
        let next = try generator(folder)
        #expect(try next.generate(request(seed: 4)).statistics.cachedPromptTokens == 2 * StateSegment.length)
        #expect(try next.generate(request(seed: 1)).statistics.cachedPromptTokens == 0)
    }

    @Test("old partial files of killed processes are removed, but not recent ones")
    func sweeping() throws {
        let folder = try TemporaryFolder()
        let names = ["a", "b", "c"].map { String(repeating: $0, count: 64) + ".kv.partial-1x2y" }
        let young = names[1]
        // The last one comes from a clock that was ahead.
        for (name, age) in zip(names, [7200, 0, -7200] as [Double]) {
            _ = try folder.write(name, "")
            try FileManager.default.setAttributes(
                [.modificationDate: Date.now.addingTimeInterval(-age)], ofItemAtPath: folder.path(name))
        }
        try generator(folder).flushCache()
        #expect(try folder.content == [young])
    }

    @Test("files that do not belong to the cache are left alone, whatever their names")
    func foreignFiles() throws {
        let folder = try TemporaryFolder()
        let key = String(repeating: "0", count: 64)
        let foreign = [
            "album.kv", "notes.tmp", "draft.2024.tmp", "\(key).kv.999999999.tmp", "model.gguf.partial-abc", "mine.id",
            "\(key.dropLast()).kv", "\(key)g.kv", String(repeating: "F", count: 64) + ".kv",
        ]
        for name in foreign {
            _ = try folder.write(name, "precious")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: folder.path(name))
        }
        let cached = try generator(folder, maxEntries: 1)
        for seed in 1...2 { _ = try cached.generate(request(seed: UInt64(seed))) }
        cached.flushCache()
        let content = try folder.content
        #expect(content.count == foreign.count + 1)
        #expect(Set(foreign).isSubset(of: content))
    }

    // MARK: - Damage

    @Test("a file damaged anywhere is replaced, and its segment computed again")
    func damage() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        let expected = try first.generate(request(seed: 1)).tokens
        first.flushCache()
        let files = try folder.content
        #expect(files.count == 2)
        let path = folder.path(try #require(files.first))
        let good = try Data(contentsOf: URL(filePath: path))

        let reader = try generator(folder, memory: .none)
        for damaged in Self.damaged(good) {
            try damaged.write(to: URL(filePath: path))
            let result = try reader.generate(request(seed: 1))
            #expect(result.statistics.cachedPromptTokens < 2 * StateSegment.length)
            #expect(result.tokens == expected)
            reader.flushCache()
            // The reader wrote what it computed.
            #expect(try Data(contentsOf: URL(filePath: path)) == good)
        }
    }

    /// The file with a flipped bit, truncated, with a zeroed or exchanged sector, or with bytes appended.
    private static func damaged(_ file: Data) -> [Data] {
        var random = SeededRandomNumberGenerator(seed: 17)
        var result = stride(from: 0, to: 96, by: 3).map { flipped(file, bit: $0 * 8 + $0 % 8) }
        result += (0..<16).map { _ in flipped(file, bit: Int.random(in: 96 * 8..<file.count * 8, using: &random)) }
        result += [0, 1, 8, 63, 95, 96, 1024, file.count - 512, file.count - 1].map { file.prefix($0) }
        var zeroed = file
        zeroed.replaceSubrange(1024..<1536, with: Data(count: 512))
        var exchanged = file
        exchanged.replaceSubrange(1024..<1536, with: file[2048..<2560])
        exchanged.replaceSubrange(2048..<2560, with: file[1024..<1536])
        return result + [zeroed, exchanged, file + Data([0]), file + file, Data(count: file.count)]
    }

    private static func flipped(_ file: Data, bit: Int) -> Data {
        var copy = file
        copy[bit / 8] ^= 1 << (bit % 8)
        return copy
    }

    /// What may stand in place of a file.
    enum Obstacle: CaseIterable {
        case link, folder, pipe

        func put(at path: String, linkingTo target: String) throws {
            switch self {
            case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .pipe: try #require(mkfifo(path, 0o600) == 0)
            }
        }
    }

    @Test("a symbolic link, a folder or a pipe in place of a file is not read", arguments: Obstacle.allCases)
    func notAFile(obstacle: Obstacle) throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        let expected = try first.generate(request(seed: 1)).tokens
        first.flushCache()
        let names = try folder.content
        try #require(names.count == 2)
        let contents = try contents(names, in: folder)
        let targets = names.map { $0 + ".elsewhere" }
        for (name, target) in zip(names, targets) {
            try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path(target))
            try obstacle.put(at: folder.path(name), linkingTo: folder.path(target))
        }
        // A link is replaced by a file. The others cause a warning, because no file can be written there.
        let disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: 100) { _ in }
        let second = try generator(disk)
        let result = try second.generate(request(seed: 1))
        #expect(result.tokens == expected && result.statistics.cachedPromptTokens == 0)
        second.flushCache()
        #expect(try self.contents(targets, in: folder) == contents)
    }

    private func contents(_ names: [String], in folder: TemporaryFolder) throws -> [Data] {
        try names.map { try Data(contentsOf: URL(filePath: folder.path($0))) }
    }

    @Test("a segment with a flipped header bit, a truncation or a zeroed sector is refused")
    func everyBit() throws {
        let folder = try TemporaryFolder()
        let model = try LanguageModel.load(GGUFFile(path: cachedFixture.path))
        let compute = Compute(threads: 1)
        let state = try model.makeState(capacity: 200)
        var batch = Batch(of: .prompt)
        batch.append(
            tokens: request(seed: 1).prompt.tokens.prefix(StateSegment.length), to: state, wantsLogits: false)
        try model.forward(batch, compute)
        let segment = try #require(state.finishedSegments().last)
        let file = SegmentFile(key: SegmentKey(fingerprint: [UInt8](repeating: 7, count: 32)))
        var good = Data()
        try file.forEachPiece(of: segment) { good.append(contentsOf: $0) }
        #expect(good.count == SegmentFile.byteCount(payload: state.segmentByteCount))
        #expect(file.segment(in: good, for: state) != nil)

        for bit in 0..<160 * 8 { #expect(file.segment(in: Self.flipped(good, bit: bit), for: state) == nil) }
        for count in stride(from: 0, to: good.count, by: 512) {
            #expect(file.segment(in: good.prefix(count), for: state) == nil)
            var zeroed = good
            let sector = count..<min(count + 512, good.count)
            zeroed.replaceSubrange(sector, with: Data(count: sector.count))
            #expect(zeroed == good || file.segment(in: zeroed, for: state) == nil)
        }
        // The key of another segment.
        let elsewhere = SegmentFile(key: SegmentKey(fingerprint: [UInt8](repeating: 8, count: 32)))
        #expect(elsewhere.segment(in: good, for: state) == nil)
        withExtendedLifetime(folder) {}
    }

    @Test("files with exchanged names are not used, but replaced")
    func exchangedNames() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        let expected = try first.generate(request(seed: 1)).tokens
        first.flushCache()
        let names = try folder.content
        try #require(names.count == 2)
        let contents = try contents(names, in: folder)
        for (name, content) in zip(names, contents.reversed()) {
            try content.write(to: URL(filePath: folder.path(name)))
        }
        let second = try generator(folder, memory: .none)
        let result = try second.generate(request(seed: 1))
        #expect(result.tokens == expected && result.statistics.cachedPromptTokens == 0)
        second.flushCache()
        #expect(try self.contents(names, in: folder) == contents)
    }

    @Test("files of an absurd size are not used, but replaced")
    func absurdSize() throws {
        let folder = try TemporaryFolder()
        let first = try generator(folder)
        let expected = try first.generate(request(seed: 1)).tokens
        first.flushCache()
        let names = try folder.content
        let contents = try contents(names, in: folder)
        let size = 1 << 40
        for name in names { try #require(truncate(folder.path(name), size) == 0) }
        let second = try generator(folder)
        let result = try second.generate(request(seed: 1))
        #expect(result.tokens == expected && result.statistics.cachedPromptTokens == 0)
        second.flushCache()
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            try #require(attributes[.size] as? Int != size)
        }
        #expect(try self.contents(names, in: folder) == contents)
    }

    @Test(
        "an invalid folder name causes one warning",
        arguments: ["nul\0byte", String(repeating: "long", count: 300), "/proc/none/cache", ""])
    func impossibleName(name: String) throws {
        let folder = try TemporaryFolder()
        let warnings = Mutex<[String]>([])
        let path = name.hasPrefix("/") || name.isEmpty ? name : "\(folder.url.path)/\(name)"
        let cached = try generator(
            PrefixCacheConfiguration.Disk(path: path, maxEntries: 100) { text in warnings.withLock { $0.append(text) } }
        )
        _ = try cached.generate(request(seed: 1))
        _ = try cached.generate(request(seed: 2))
        cached.flushCache()
        #expect(warnings.withLock { $0.count } == 1)
        #expect(try folder.content == [])
    }
}
