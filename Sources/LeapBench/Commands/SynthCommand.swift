import ArgumentParser
import Foundation
import LeapGGUF
import LeapQuantize
import LeapToolSupport

/// `leap-bench synth`: writes a synthetic model for measurements.
struct SynthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth",
        abstract: "Writes a model with random weights in the shape of a real one, to measure speed without a download.",
        discussion: "The file has the same mix of tensor types as a real one. Other programs can load it.")

    @Argument(help: "The shape of a model, projector, vocoder or audio tokenizer.")
    var shape: SynthesisShape

    @Argument(help: "The file type, a mix of tensor types.")
    var type: FileType

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var output: String

    @Option(help: "Seed of the random weights.")
    var seed: UInt64 = 1

    @Option(help: "Write only this many blocks, the first of the shape (default: all).")
    var blocks: Int?

    func validate() throws {
        let bounds = shape.blockCounts
        if let blocks, !bounds.contains(blocks) {
            throw ValidationError(
                "--blocks must be from \(bounds.lowerBound) to \(bounds.upperBound) for \(shape.name), not \(blocks).")
        }
    }

    func run() throws {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: output, isDirectory: &isDirectory), isDirectory.boolValue {
            throw CommandError("\(output) is a folder, but --output must name a file.")
        }
        guard output != "-" else {
            throw CommandError("--output must name a file, not '-': a model cannot be written to standard output.")
        }
        try OutputFile.checkFolder(of: output)
        let (name, time) = try write()
        let size = Quantity.binary(try GGUFFile(path: output).fileSize)
        Console.error("wrote \(output): \(name), \(size), in \(Int(time.rounded(.up))) s")
    }

    /// Writes the file.
    ///
    /// - Returns: The model's name, and the time taken in seconds.
    private func write() throws -> (name: String, seconds: Double) {
        switch shape {
        case .model(var shape):
            if let blocks { shape.blockCount = blocks }
            let model = SyntheticModel(shape: shape, fileType: type, seed: seed)
            return (model.name, try seconds { try model.write(to: output) })
        case .projector(var shape):
            if let blocks { shape.blockCount = blocks }
            let projector = SyntheticProjector(shape: shape, fileType: type, seed: seed)
            return (projector.name, try seconds { try projector.write(to: output) })
        }
    }
}
