/// The files of one model, first shard first; a file that is not split is a set of one.
///
/// Source: the GGUF specification, heading "Filename" for shard names; the keys `split.no` (from 0), `split.count` and
/// `split.tensors.count` as llama.cpp's `gguf-split` writes them.
struct SplitSet {
    let containers: [Container]

    init(first path: String, _ access: FileAccess) throws(GGUFError) {
        let first = try Container(path: path, access)
        let count = try first.metadata.integerIfPresent(SplitKey.count, in: 0...ShardName.maximumCount) ?? 1
        guard count > 1 else {
            containers = [first]
            return
        }
        let name = try Self.name(of: first, count: count)
        var containers = [first]
        for number in 2...count {
            containers.append(try Self.open(name.shard(number), number, first: first, access))
        }
        self.containers = containers
        try checkTensorCount()
    }

    /// The first shard's name, which must agree with the file's own metadata.
    private static func name(of first: Container, count: Int) throws(GGUFError) -> ShardName {
        let path = first.file.name
        let name = ShardName(path)
        let index = try first.metadata.integer(SplitKey.number, in: 0...count - 1)
        guard index == 0 else {
            let problem = GGUFError.ShardProblem.notFirst(
                number: index + 1, count: count, first: name?.shard(1).path)
            throw .shard(file: path, problem)
        }
        guard let name, name.number == 1, name.count == count else {
            throw .shard(file: path, .unexpectedName(expectedSuffix: ShardName.suffix(1, of: count)))
        }
        return name
    }

    private static func open(
        _ name: ShardName, _ number: Int, first: Container, _ access: FileAccess
    ) throws(GGUFError) -> Container {
        let shard: Container
        do {
            shard = try Container(path: name.path, access)
        } catch .path(let path, .cannotOpen(let error)) {
            throw .shard(file: path, .missing(number: number, count: name.count, error))
        } catch {
            throw error
        }
        try check(shard, number: number, count: name.count, against: first)
        return shard
    }

    /// A shard must match the number in its name, and belong to the same model as the first.
    private static func check(
        _ shard: Container, number: Int, count: Int, against first: Container
    ) throws(GGUFError) {
        try expect(number - 1, SplitKey.number, shard)
        try expect(count, SplitKey.count, shard)
        if shard.metadata.contains(SplitKey.tensorCount) {
            try expect(try first.metadata.integer(SplitKey.tensorCount), SplitKey.tensorCount, shard)
        }
        for key in shard.metadata.keys where !describesFile(key) && first.metadata.contains(key) {
            guard shard.metadata.hasSameValue(key, as: first.metadata) else {
                throw mismatch(
                    shard, key, expected: first.metadata.summary(key), found: shard.metadata.summary(key))
            }
        }
    }

    /// Whether a key describes the file, not the model: other programs write numbers of shards in types of their own, and
    /// shards with other alignments.
    private static func describesFile(_ key: String) -> Bool {
        [SplitKey.number, SplitKey.count, SplitKey.tensorCount, "general.alignment"].contains(key)
    }

    private static func expect(_ expected: Int, _ key: String, _ shard: Container) throws(GGUFError) {
        let found = try shard.metadata.integer(key)
        guard found == expected else {
            throw mismatch(shard, key, expected: "\(expected)", found: "\(found)")
        }
    }

    private static func mismatch(
        _ shard: Container, _ key: String, expected: String, found: String
    ) -> GGUFError {
        .shard(file: shard.file.name, .mismatch(key: key, expected: expected, found: found))
    }

    private func checkTensorCount() throws(GGUFError) {
        let first = containers[0]
        let expected = try first.metadata.integer(SplitKey.tensorCount)
        let found = containers.reduce(0) { $0 + $1.tensors.count }
        guard expected == found else {
            throw .shard(file: first.file.name, .tensorCount(expected: expected, found: found))
        }
    }
}

/// What the parts of a divided model say of themselves.
enum SplitKey {
    static let number = "split.no"
    static let count = "split.count"
    static let tensorCount = "split.tensors.count"
}

/// How the bytes of a file are accessed.
struct FileAccess {
    /// Mapped, or read into memory.
    let useMmap: Bool
    /// Whether pages that a mapped file no longer has are survived.
    let catchesBusErrors: Bool
}

extension Container {
    /// Opens and validates one file.
    init(path: String, _ access: FileAccess) throws(GGUFError) {
        let file = try OpenFile(path: path)
        let mapping = try FileBytes(mapping: file, isWatched: access.catchesBusErrors)
        do {
            // A broken file must not allocate memory of its size, so even a file to be copied is first mapped and
            // validated.
            let mapped = try Container(mapping)
            self = access.useMmap ? mapped : try mapped.copied(from: file)
        } catch {
            // A file that seems broken may only have lost pages, which read as zeros.
            try mapping.checkNothingLost()
            throw error
        }
        try mapping.checkNothingLost()
    }

    /// The same in memory of our own.
    private func copied(from file: OpenFile) throws(GGUFError) -> Container {
        let copy = try Container(FileBytes(reading: contentCount, of: file))
        // Otherwise somebody wrote to the file since.
        guard copy.contentCount == contentCount else {
            throw .path(file.path, .changed(sizeWhenOpened: file.size, sizeNow: try file.currentSize))
        }
        return copy
    }
}

extension GGUFMetadata {
    fileprivate func hasSameValue(_ key: String, as other: GGUFMetadata) -> Bool {
        guard let left = encodedValue(key), let right = other.encodedValue(key) else { return false }
        return left.elementsEqual(right)
    }

    /// A value in a few words, for an error.
    fileprivate func summary(_ key: String) -> String {
        switch value(key) {
        case nil: "nothing"
        case .string(let text): quoted(text)
        case .array(let array): "\(array.typeDescription) with \(grouped(array.count)) elements"
        case .bool(let flag): "\(flag)"
        case let value?: value.anyInteger.map { "\($0)" } ?? value.anyFloat.map { "\($0)" } ?? value.typeDescription
        }
    }
}
