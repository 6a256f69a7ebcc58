extension GGUFError: CustomStringConvertible {
    /// Says what failed, where, what was expected, what was found and what to do about it.
    public var description: String {
        switch self {
        case .path(let path, let problem): "\(quoted(path)): \(problem.text)"
        case .format(let file, let offset, let problem):
            "\(quoted(file)), byte \(grouped(offset)): \(problem.text)"
        case .tensor(let file, let name, let problem):
            "\(quoted(file)): tensor \(quoted(name)) \(problem.text)"
        case .metadata(let file, let key, let problem):
            "\(quoted(file)): metadata key \(quoted(key)) \(problem.text)"
        case .shard(let file, let problem): "\(quoted(file)): \(problem.text)"
        case .write(let file, let problem): "cannot write \(quoted(file)): \(problem.text)"
        }
    }
}

/// What to do about a file that is too short.
private let downloadAgain = "Download it again and compare its size or checksum with the source's."

/// What to do about a file that contradicts itself.
private let damaged =
    "The file is damaged or was written by a faulty tool; download it again or convert the model again."

// MARK: - Paths

extension GGUFError.PathProblem {
    fileprivate var text: String {
        switch self {
        case .zeroByte: "the path contains a NUL byte, which file names cannot contain. Correct the path."
        case .cannotOpen(let error): "cannot open the file: \(error). Check the path and the permissions."
        case .notAFile(let kind): "expected a regular file, found \(kind.rawValue). Check the path."
        case .empty: "the file is empty. \(downloadAgain)"
        case .tooLarge(let size): "the file has \(bytes(size)), more than this machine can address."
        case .cannotMap(let size, let error):
            "cannot map \(bytes(size)): \(error). Raise the limit of the process's address space."
        case .outOfMemory(let size):
            "not enough memory for a copy of \(bytes(size)). Open the file with mmap, or use a smaller model."
        case .cannotRead(let offset, let error):
            "cannot read at byte \(grouped(offset)): \(error). Check the disk and try again."
        case .changed(let old, let new): changedText(old, new)
        case .lost(let old, let new): lostText(old, new)
        }
    }

    private func lostText(_ old: Int, _ new: Int) -> String {
        new < old
            ? "the file shrank while it was in use: it had \(bytes(old)) when it was opened and has \(grouped(new)) "
                + "now. Load the model again once the file is complete, or without mmap, which copies it into memory."
            : "part of the file could not be read while it was in use. Check the disk or network share that holds it, and "
                + "load the model again."
    }

    private func changedText(_ old: Int, _ new: Int) -> String {
        let change =
            old == new ? "its contents were modified" : "it had \(bytes(old)) and now has \(grouped(new))"
        return "the file was changed after it was opened: \(change). Load the model again."
    }
}

// MARK: - Structure

extension GGUFError.FormatProblem {
    fileprivate var text: String {
        switch self {
        case .wrongMagic(let found, let foreign):
            "not a GGUF file: expected the magic number 'GGUF', found \(magicText(found)). \(foreign.adviceText)"
        case .unsupportedVersion(let version): versionText(version)
        case .bigEndian(let version):
            "the file is big-endian (GGUF version \(version) with its bytes swapped); only little-endian files are "
                + "supported. Convert the model again for little-endian machines."
        case .truncated(let field, let needed, let available):
            "\(field) takes \(bytes(needed)) but the file has only \(grouped(available)) left: the file is truncated or "
                + "damaged. \(downloadAgain)"
        case .impossibleCount(let field, let count, let available):
            "\(field) is \(grouped(count)), which does not fit into the remaining \(bytes(available)): the file is "
                + "truncated or damaged. \(downloadAgain)"
        case .tooMany(let field, let count, let limit):
            "\(field) is \(grouped(count)); the limit is \(grouped(limit)). \(damaged)"
        case .emptyName(let field): "\(field) is empty. \(damaged)"
        case .longName(let field, let length, let limit):
            "\(field) has \(bytes(length)); the limit is \(grouped(limit)). \(damaged)"
        case .keyNotASCII(let field): "\(field) is not printable ASCII. \(damaged)"
        case .nameNotUTF8(let field): "\(field) is not valid UTF-8. \(damaged)"
        case .duplicateKey(let key): "the metadata key \(quoted(key)) occurs twice. \(damaged)"
        case .unknownValueType(let field, let number):
            "\(field) is \(grouped(number)); expected a type from 0 to 12. \(damaged)"
        case .invalidBool(let field, let found):
            "\(field) is a bool with the value \(found); expected 0 or 1. \(damaged)"
        case .nestedTooDeep(let field, let limit):
            "\(field) has arrays nested deeper than \(limit) levels. \(damaged)"
        }
    }

    private func magicText(_ found: [UInt8]) -> String {
        let isText = found.allSatisfy { (0x20...0x7E).contains($0) }
        let hex = found.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        return isText ? quoted(String(decoding: found, as: UTF8.self)) : "the bytes \(hex)"
    }

    private func versionText(_ version: UInt32) -> String {
        let advice =
            version == 1
            ? "Convert the model again with a current tool." : "Use a newer release of this software for newer files."
        return "GGUF version \(version) is not supported; expected 2 or 3. \(advice)"
    }
}

extension Optional<GGUFError.ForeignFormat> {
    fileprivate var adviceText: String {
        switch self {
        case .gitLFSPointer:
            "This is a Git LFS pointer, not the file itself: fetch it with 'git lfs pull' or download it directly."
        case .webPage: "This is a web page: the download led to an error or login page. Check the address."
        case .oldGGML: "This is a model in a format older than GGUF: convert it, or get a GGUF version of it."
        case .zip: "This is a ZIP archive: extract it, or convert the model to GGUF."
        case .oldImportanceMatrix:
            "This is an importance matrix in the format that preceded GGUF's: convert it with "
                + "'llama-imatrix --in-file OLD -o NEW --output-format gguf'."
        case nil: "Give a model in GGUF format."
        }
    }
}

// MARK: - Tensors

extension GGUFError.TensorProblem {
    fileprivate var text: String {
        switch self {
        case .duplicateName(let other): "occurs twice; the other one is in \(quoted(other)). \(damaged)"
        case .dimensionCount(let count): "has \(grouped(count)) dimensions; expected 1 to 4. \(damaged)"
        case .emptyDimension(let index): "has no elements in dimension \(index). \(damaged)"
        case .tooLarge(let dimensions):
            "has dimensions \(dimensions.map { grouped($0) }.joined(separator: " × ")), whose size overflows. \(damaged)"
        case .unknownType(let number):
            "has the unknown type number \(grouped(number)). Use a newer release of this software, or a model with "
                + "another quantisation."
        case .partialBlock(let type, let columns, let elements):
            "has rows of \(grouped(columns)) elements, but \(type) needs a multiple of \(elements). \(damaged)"
        case .misaligned(let offset, let alignment):
            "starts at offset \(grouped(offset)) of the data section, which is not a multiple of the alignment "
                + "\(grouped(alignment)). \(damaged)"
        case .beyondEnd(let end, let size):
            "ends at byte \(grouped(end)) but the file has \(grouped(size)): the download is incomplete. "
                + downloadAgain
        case .cutPadding(let end, let size):
            "ends at byte \(grouped(end)) and the file ends within the padding after it, at byte \(grouped(size)): the "
                + "download is incomplete. \(downloadAgain)"
        case .overlap(let other, let offset, let otherEnd):
            "starts at byte \(grouped(offset)), within tensor \(quoted(other)), which ends at byte \(grouped(otherEnd)). "
                + damaged
        }
    }
}

// MARK: - Metadata

extension GGUFError.MetadataProblem {
    fileprivate var text: String {
        switch self {
        case .missing(let expected): "is missing; expected a value of type \(expected). \(damaged)"
        case .wrongType(let expected, let found): "has type \(found); expected \(expected). \(damaged)"
        case .outOfRange(let found, let lowest, let highest):
            "is \(found); expected \(rangeText(lowest, highest)). \(damaged)"
        case .notFinite(let found): "is \(found); expected a finite number. \(damaged)"
        case .invalidAlignment(let found, let lowest, let highest):
            "is \(grouped(found)); expected a power of two from \(grouped(lowest)) to \(grouped(highest)). \(damaged)"
        }
    }

    private func rangeText(_ lowest: Int, _ highest: Int) -> String {
        switch (lowest, highest) {
        case (let lowest, Int.max): "at least \(grouped(lowest))"
        case (Int.min, let highest): "at most \(grouped(highest))"
        default: "\(grouped(lowest)) to \(grouped(highest))"
        }
    }
}

// MARK: - Shards

extension GGUFError.ShardProblem {
    fileprivate var text: String {
        switch self {
        case .notFirst(let number, let count, let first):
            "this is shard \(number) of \(count). Open the first one\(first.map { ": " + quoted($0) } ?? "")."
        case .unexpectedName(let suffix):
            "the file is the first of a split set, so its name must end in '\(suffix)'. Restore its original name, and "
                + "keep the other shards in the same folder."
        case .missing(let number, let count, let error):
            "shard \(number) of \(count) cannot be opened: \(error). Put all shards into one folder under their original names."
        case .mismatch(let key, let expected, let found):
            "the shard does not belong to the set: \(key) is \(found); expected \(expected). Use shards of the same model."
        case .tensorCount(let expected, let found):
            "the shards have \(grouped(found)) tensors in total; expected \(grouped(expected)). Use all shards of the same "
                + "model."
        }
    }
}

// MARK: - Writing

extension GGUFError.WriteProblem {
    fileprivate var text: String {
        switch self {
        case .invalidKey(let key):
            "the metadata key \(quoted(key)) must be 1 to \(grouped(GGUFLimits.keyLength)) characters of printable ASCII."
        case .invalidTensorName(let name):
            "the tensor name \(quoted(name)) must be 1 to \(GGUFLimits.tensorNameLength) bytes."
        case .invalidDimensions(let tensor, let dimensions, let type):
            "tensor \(quoted(tensor)) cannot have shape \(dimensions.map { grouped($0) }.joined(separator: " × ")) in "
                + "\(type); expected 1 to 4 dimensions above 0, and rows of whole blocks."
        case .duplicateTensor(let name): "tensor \(quoted(name)) was added twice."
        case .invalidAlignment(let found):
            "general.alignment is \(found); expected a uint32 that is a power of two from "
                + "\(grouped(GGUFLimits.alignment.lowerBound)) to \(grouped(GGUFLimits.alignment.upperBound))."
        case .tooLarge: "its size overflows."
        case .tooManyParts(let count):
            "\(grouped(count)) files are too many: a split set has at most \(grouped(GGUFSplit.maximumCount)). Choose a larger limit."
        case .tooMuchData(let expected): "more tensor data was written than the announced \(bytes(expected))."
        case .missingData(let tensor, let expected, let found):
            "tensor \(quoted(tensor)) takes \(bytes(expected)) but was given \(grouped(found))."
        case .system(let action, let error): "cannot \(action) the file: \(error)."
        }
    }
}
