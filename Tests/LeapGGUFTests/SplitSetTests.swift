import Foundation
import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Split sets")
struct SplitSetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Shard `index` (from 0) with one tensor, `t<index>`, filled with the byte `index`.
    private func shard(_ index: Int, of count: Int = 3) -> HandmadeGGUF {
        var file = HandmadeGGUF(tensors: [.init("t\(index)", dimensions: [8])], dataSize: 0)
        file.data = [UInt8](repeating: UInt8(index), count: 32)
        file.metadata = [
            .init("split.no", type: 2, littleEndian(UInt16(index))),
            .init("split.count", type: 2, littleEndian(UInt16(count))),
            .init("split.tensors.count", type: 5, littleEndian(Int32(count))),
        ]
        if index == 0 { file.metadata.append(.string("general.architecture", "llama")) }
        return file
    }

    private func name(_ number: Int, of count: Int = 3) -> String { "m-0000\(number)-of-0000\(count).gguf" }

    private func write(_ shards: [HandmadeGGUF], count: Int = 3) throws {
        for (index, shard) in shards.enumerated() { _ = try folder.write(name(index + 1, of: count), shard.bytes) }
    }

    private var first: String { folder.path(name(1)) }

    @Test("A complete set opens as one file", arguments: [true, false])
    func wholeSet(useMmap: Bool) throws {
        try write([shard(0), shard(1), shard(2)])
        let file = try GGUFFile(path: first, useMmap: useMmap)
        #expect(file.tensors.map(\.name) == ["t0", "t1", "t2"])
        #expect(file.tensors.map { $0.bytes[31] } == [0, 1, 2])
        #expect(file.tensor(named: "t2")?.bytes.first == 2)
        #expect(try file.metadata.string("general.architecture") == "llama")
        #expect(file.fileSize == [shard(0), shard(1), shard(2)].reduce(0) { $0 + $1.bytes.count })
        #expect(file.path == first)
    }

    @Test("Shards may have counts of other types than the first, and another alignment")
    func otherTypes() throws {
        var second = shard(1, of: 2)
        second.metadata = [
            .init("split.no", type: 11, littleEndian(Int64(1))),
            .init("split.count", type: 10, littleEndian(UInt64(2))),
            .init("split.tensors.count", type: 4, littleEndian(UInt32(2))), .uint32("general.alignment", 64),
        ]
        second.alignment = 64
        try write([shard(0, of: 2), second], count: 2)
        let file = try GGUFFile(path: folder.path(name(1, of: 2)))
        #expect(file.tensors.map { $0.bytes[31] } == [0, 1])
    }

    @Test("A file that is named like a shard but not split opens alone")
    func notSplit() throws {
        let path = try folder.write(name(1), HandmadeGGUF.sample.bytes)
        #expect(try GGUFFile(path: path).tensors.count == 3)
    }

    @Test("A set of at most one shard opens under any name", arguments: [0, 1])
    func setOfOne(count: Int) throws {
        let path = try folder.write("any.gguf", shard(0, of: count).bytes)
        #expect(try GGUFFile(path: path).tensors.count == 1)
    }

    @Test("A missing shard is named", arguments: [2, 3])
    func missingShard(number: Int) throws {
        try write([shard(0), shard(1), shard(2)])
        let missing = folder.path(name(number))
        try FileManager.default.removeItem(atPath: missing)
        let expected = GGUFError.ShardProblem.missing(number: number, count: 3, SystemError(code: ENOENT))
        #expect(errorOpening(path: first) == .shard(file: missing, expected))
    }

    @Test("Opening a later shard is refused, and the error names the first one")
    func notFirst() throws {
        try write([shard(0), shard(1), shard(2)])
        let second = folder.path(name(2))
        #expect(
            errorOpening(path: second) == .shard(file: second, .notFirst(number: 2, count: 3, first: first)))
    }

    @Test("A first shard under another name is refused", arguments: ["m.gguf", "m-00001-of-00002.gguf"])
    func unexpectedName(name: String) throws {
        let path = try folder.write(name, shard(0).bytes)
        #expect(
            errorOpening(path: path)
                == .shard(file: path, .unexpectedName(expectedSuffix: "-00001-of-00003.gguf")))
    }

    @Test("Shards in the wrong order are refused, and the error names the first misplaced one")
    func wrongOrder() throws {
        try write([shard(0), shard(2), shard(1)])
        #expect(
            errorOpening(path: first)
                == .shard(file: folder.path(name(2)), .mismatch(key: "split.no", expected: "1", found: "2")))
    }

    @Test("A shard of a set of another size is refused")
    func otherCount() throws {
        try write([shard(0), shard(1, of: 4), shard(2)])
        #expect(
            errorOpening(path: first)
                == .shard(file: folder.path(name(2)), .mismatch(key: "split.count", expected: "3", found: "4")))
    }

    @Test("A shard of another model is refused")
    func otherModel() throws {
        var other = shard(1)
        other.metadata.append(.string("general.architecture", "lfm2"))
        try write([shard(0), other, shard(2)])
        let expected = GGUFError.ShardProblem.mismatch(
            key: "general.architecture", expected: "'llama'", found: "'lfm2'")
        #expect(errorOpening(path: first) == .shard(file: folder.path(name(2)), expected))
    }

    @Test("A file without split keys among the shards is refused")
    func unsplitShard() throws {
        try write([shard(0), .sample, shard(2)])
        #expect(
            errorOpening(path: first)
                == .metadata(file: folder.path(name(2)), key: "split.no", .missing(expected: "integer")))
    }

    @Test("A truncated shard is named")
    func brokenShard() throws {
        try write([shard(0), shard(1), shard(2)])
        let last = folder.path(name(3))
        #expect(truncate(last, 100) == 0)
        guard case .format(last, _, .truncated) = errorOpening(path: first) else {
            Issue.record("expected an error in the third shard, got \(String(describing: errorOpening(path: first)))")
            return
        }
    }

    @Test("A tensor name that occurs in two shards is refused")
    func duplicateAcrossShards() throws {
        var second = shard(1)
        second.tensors[0].name = Array("t0".utf8)
        try write([shard(0), second, shard(2)])
        let expected = GGUFError.TensorProblem.duplicateName(otherFile: first)
        #expect(errorOpening(path: first) == .tensor(file: folder.path(name(2)), name: "t0", expected))
    }

    @Test("A set with too few tensors is refused")
    func tensorCount() throws {
        let shards = (0..<3).map { index in
            var shard = shard(index)
            shard.metadata[2].value = littleEndian(Int32(4))
            return shard
        }
        try write(shards)
        #expect(errorOpening(path: first) == .shard(file: first, .tensorCount(expected: 4, found: 3)))
    }

    @Test("A change to any shard is detected", arguments: 1...3)
    func changedShard(number: Int) throws {
        try write([shard(0), shard(1), shard(2)])
        let file = try GGUFFile(path: first)
        try file.checkUnchanged()
        let path = folder.path(name(number))
        #expect(truncate(path, 10) == 0)
        let size = shard(number - 1).bytes.count
        #expect(throws: GGUFError.path(path, .changed(sizeWhenOpened: size, sizeNow: 10))) { try file.checkUnchanged() }
    }
}
