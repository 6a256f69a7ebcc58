import ArgumentParser
import Foundation
import LeapGGUF
import LeapToolSupport

/// `leap split`: splits a model into several files.
struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Splits a model into several files, named as by llama.cpp's gguf-split.",
        discussion: "Programs open the first file and find the others beside it.")

    @Argument(help: "A GGUF file.", completion: .file())
    var input: String

    @Argument(help: "The prefix of the file names, before '-00001-of-00003.gguf'.", completion: .file())
    var prefix: String

    @Option(
        name: [.long, .customLong("split-max-size")],
        help: ArgumentHelp("Maximum size of each file, such as 2G or 500M (powers of 1,024).", valueName: "size"))
    var maxSize: ByteSize?

    @Option(
        name: [.long, .customLong("split-max-tensors")],
        help: ArgumentHelp("Maximum number of tensors per file.", valueName: "count"))
    var maxTensors: Int?

    @Flag(help: "Show what would be written, without writing it.")
    var dryRun = false

    func validate() throws {
        guard (maxSize == nil) != (maxTensors == nil) else {
            throw ValidationError("Give one of --max-size and --max-tensors.")
        }
        if let maxTensors, maxTensors < 1 {
            throw ValidationError("--max-tensors must be at least 1, not \(maxTensors).")
        }
        if let maxSize, maxSize.bytes < 1 { throw ValidationError("--max-size must be at least 1 byte.") }
    }

    func run() throws {
        let file = try GGUFFile(path: input)
        let limit: GGUFSplit.Limit =
            maxTensors.map { .tensors($0) } ?? .bytes(Int(clamping: maxSize?.bytes ?? .max))
        let split = try GGUFSplit(file, limit, prefix: prefix)
        if dryRun {
            for part in split.parts {
                Console.line("\(part.path)  \(part.tensors.count) tensors  \(part.byteCount) bytes")
            }
            return
        }
        let total = split.parts.reduce(0) { $0 + $1.byteCount }
        for part in split.parts {
            try OutputPlace.check(part.path, bytes: total, inputs: file.paths)
            // Parts are written one after the other: if a later one failed, the older set would be neither whole nor gone.
            guard FileKind(path: part.path) == nil else {
                throw CommandError("\(part.path) exists: remove the older files, or choose another prefix")
            }
        }
        var bar = ProgressBar("split", total: file.tensors.reduce(0) { $0 + $1.byteCount })
        var done = 0
        try split.write { count in
            done += count
            bar.update(done, note: prefix)
        }
        Console.error("wrote \(split.parts.count) files, the first is \(split.parts[0].path)")
    }
}

/// `leap merge`: merges several files into one.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merges the files of a split model into one.")

    @Argument(help: "The first file: …-00001-of-00003.gguf.", completion: .file())
    var input: String

    @Argument(help: "The file to write, which appears only when it is complete.", completion: .file())
    var output: String

    func run() throws {
        let file = try GGUFFile(path: input)
        guard file.isSplit else {
            throw CommandError(
                "\(input): expected the first file of a split model, found a complete model: there is nothing to merge")
        }
        try OutputPlace.check(output, bytes: file.fileSize, inputs: file.paths)
        try RewrittenFile.write(file, to: output, "merge")
        let count = file.paths.count
        Console.error("wrote \(output): merged from \(count) \(count == 1 ? "file" : "files")")
    }
}

/// A file that is rewritten with the same tensors.
enum RewrittenFile {
    /// - Parameters:
    ///   - label: The prefix of the progress line.
    ///   - change: Changes the metadata.
    static func write(
        _ file: GGUFFile, to path: String, _ label: String, change: (inout GGUFWriter) throws -> Void = { _ in }
    ) throws {
        var writer = GGUFWriter()
        try writer.add(file)
        try change(&writer)
        var bar = ProgressBar(label, total: file.tensors.reduce(0) { $0 + $1.byteCount })
        var done = 0
        try writer.write(to: path) { output in
            for tensor in file.tensors {
                try output.append(tensor) { count in
                    done += count
                    bar.update(done, note: singleLine(tensor.name))
                }
            }
            try file.checkNothingLost()
            try file.checkUnchanged()
        }
    }
}
