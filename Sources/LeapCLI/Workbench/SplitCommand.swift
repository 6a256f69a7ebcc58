import ArgumentParser
import Foundation
import LeapGGUF
import LeapToolSupport

/// `leap split`: splits a model into several files.
struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Divides a model into several files, as llama.cpp's gguf-split names them.",
        discussion: "Every program that reads the first of them finds the others beside it.")

    @Argument(help: "A GGUF file.", completion: .file())
    var input: String

    @Argument(help: "The start of the names, before '-00001-of-00003.gguf'.", completion: .file())
    var prefix: String

    @Option(
        name: [.long, .customLong("split-max-size")],
        help: ArgumentHelp("The most bytes of a file: 2G, 500M (powers of 1,024).", valueName: "size"))
    var maxSize: ByteSize?

    @Option(
        name: [.long, .customLong("split-max-tensors")],
        help: ArgumentHelp("The most tensors of a file.", valueName: "count"))
    var maxTensors: Int?

    @Flag(help: "Show what would be written, and write nothing.")
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
        for part in split.parts { try OutputPlace.check(part.path, bytes: total, inputs: file.paths) }
        var bar = ProgressBar("split", total: file.tensors.reduce(0) { $0 + $1.byteCount })
        var done = 0
        try split.write { count in
            done += count
            bar.update(done, note: prefix)
        }
        Console.error("wrote \(split.parts.count) files, from \(split.parts[0].path) on")
    }
}

/// `leap merge`: merges several files into one.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Joins a model that is divided into several files.")

    @Argument(help: "The first of the files: …-00001-of-00003.gguf.", completion: .file())
    var input: String

    @Argument(help: "The file to write. It appears when it is complete.", completion: .file())
    var output: String

    func run() throws {
        let file = try GGUFFile(path: input)
        guard file.paths.count > 1 else {
            throw CommandError(
                "\(input): expected the first of several files, found a whole model: there is nothing to merge")
        }
        try OutputPlace.check(output, bytes: file.fileSize, inputs: file.paths)
        try RewrittenFile.write(file, to: output, "merge")
        Console.error("wrote \(output): \(file.paths.count) files in one")
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
                    bar.update(done, note: tensor.name)
                }
            }
            try file.checkNothingLost()
            try file.checkUnchanged()
        }
    }
}
