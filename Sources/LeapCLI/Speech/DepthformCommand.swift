import ArgumentParser
import Foundation
import LeapJSON
import LeapModels
import LeapOps
import LeapToolSupport

/// `leap depthform`: the codes that a vocoder generates from rows, for comparison with other implementations.
struct DepthformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "depthform",
        abstract: "Prints the most likely audio codes for a language model's output rows, one frame per line.",
        discussion:
            "The rows are raw little-endian 32-bit floats, as 'leap encode --out' writes them; each gives a frame.")

    @Option(help: ArgumentHelp("The vocoder file, which generates the codes.", valueName: "file"), completion: .file())
    var vocoder: String

    @Option(
        help: ArgumentHelp("The rows, as output by the language model's final norm.", valueName: "file"),
        completion: .file())
    var hidden: String

    @Option(help: "Number of frames; the last row is repeated if there are fewer rows (default: one per row).")
    var frames: Int?

    @Flag(help: "Print one JSON object: frames, and the language model's input row for each.")
    var json = false

    @OptionGroup var computeFlags: ComputeFlags

    func validate() throws {
        if let frames, frames < 1 { throw ValidationError("--frames must be at least 1, not \(frames).") }
    }

    func run() throws {
        let depthformer = try VoiceFile.depthformer(vocoder: vocoder)
        let rows = try self.rows(width: depthformer.configuration.modelWidth)
        let run = DepthformerRun(depthformer, try computeFlags.makeCompute())
        var frames: [CodeFrame] = []
        for number in 0..<(self.frames ?? rows.count) {
            let frame = try run.frame(after: rows[min(number, rows.count - 1)]) { _, logits in
                Int32(logits.indices.max { logits[$0] < logits[$1] } ?? 0)
            }
            frames.append(frame)
        }
        guard json else { return frames.forEach { Console.line($0.values.map(String.init).joined(separator: " ")) } }
        Console.line(report(frames, depthformer).text())
    }

    private func rows(width: Int) throws -> [[Float]] {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: hidden)) } catch {
            throw CommandError("the rows '\(hidden)' cannot be read: \(error.localizedDescription)")
        }
        let size = width * MemoryLayout<Float>.size
        guard !data.isEmpty, data.count.isMultiple(of: size) else {
            throw CommandError(
                "'\(hidden)': expected rows of \(size) bytes each for this vocoder, found \(data.count) bytes")
        }
        let floats = data.withUnsafeBytes { bytes in
            (0..<data.count / 4).map {
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
            }
        }
        return stride(from: 0, to: floats.count, by: width).map { Array(floats[$0..<$0 + width]) }
    }

    private func report(_ frames: [CodeFrame], _ depthformer: Depthformer) -> JSONValue {
        let rows = frames.map { JSONValue.array(depthformer.row(of: $0).map { .number(Double($0)) }) }
        return [
            "frames": .array(frames.map { .array($0.values.map { .integer(Int($0)) }) }), "rows": .array(rows),
        ]
    }
}
