import ArgumentParser
import Foundation
import LeapEngine
import LeapGeneration
import LeapJSON
import LeapModels
import LeapTokenizer
import LeapToolSupport

/// `leap encode`: the rows that a model makes from a picture or a sound, for comparison with other implementations.
struct EncodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Writes the embedding rows of a picture or a sound as raw little-endian 32-bit floats.",
        discussion: """
            With --json, prints the picture's size, its grid of tiles, each tile's size and tokens, and the layout: \
            the prompt tokens that represent it, with runs of rows between them. For a sound, prints the number of \
            samples and the sample rate.
            """)

    @Argument(help: "A GGUF file, or a model name, which is downloaded if necessary.", completion: .file())
    var model: String?

    @Option(help: ArgumentHelp("The picture, as JPEG, PNG or WebP.", valueName: "file"), completion: .file())
    var image: String?

    @Option(help: ArgumentHelp("The sound, as WAV, mono.", valueName: "file"), completion: .file())
    var audio: String?

    @Option(help: "The file to write: rows × the model's width × 4 bytes.", completion: .file())
    var out: String?

    @Flag(help: "Print one JSON object about the rows.")
    var json = false

    @OptionGroup var vision: VisionFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    func validate() throws {
        if (image == nil) == (audio == nil) { throw ValidationError("Give either --image or --audio.") }
        if out == nil && !json {
            throw ValidationError("Give --out FILE for the rows, --json for their layout, or both.")
        }
    }

    func run() async throws {
        let name = try source.onlyModel(model)
        let path = try await hub.bring(name).path
        if let out { try OutputPlace.check(out, inputs: name.inputs + [path] + [image, audio].compactMap(\.self)) }
        var options = ModelOptions(path: path)
        options.rendersMessages = false
        vision.apply(to: &options)
        let engine = try ModelFailure.loading(path) { try Engine(options, compute: computeFlags.makeCompute()) }
        let model = try engine.model()
        let (rows, report) = try image.map { try see($0, model) } ?? hear(audio ?? "", model)
        if let out { try OutputFile.write(Data(littleEndian: rows.joined()), to: out) }
        if json { Console.line(report.text()) }
        await engine.unload()
    }

    private func see(_ name: String, _ model: LoadedModel) throws -> ([[Float]], JSONValue) {
        let picture = try MediaFile.picture(name)
        let rows = try failing(name) { try model.rows(of: picture) }
        return (rows.rows, report(rows, model))
    }

    private func hear(_ name: String, _ model: LoadedModel) throws -> ([[Float]], JSONValue) {
        let sound = try MediaFile.sound(name)
        let rows = try failing(name) { try model.rows(of: sound) }
        return (
            rows.rows,
            [
                "sampleRate": .integer(rows.sampleRate), "samples": .integer(rows.sampleCount),
                "rows": .integer(rows.rows.count), "rowLength": .integer(model.weights.configuration.embeddingLength),
            ]
        )
    }

    /// Adds the file's name to an error.
    private func failing<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as EngineError {
            throw error
        } catch {
            throw CommandError("'\(name)': \(error)")
        }
    }

    private func report(_ rows: PictureRows, _ model: LoadedModel) -> JSONValue {
        [
            "width": .integer(rows.width), "height": .integer(rows.height),
            "grid": rows.grid.map { ["columns": .integer($0.columns), "rows": .integer($0.rows)] } ?? .null,
            "thumbnail": .bool(rows.hasThumbnail),
            "tiles": .array(
                rows.tiles.map {
                    ["width": .integer($0.width), "height": .integer($0.height), "tokens": .integer($0.tokens)]
                }),
            "rows": .integer(rows.rows.count), "rowLength": .integer(model.weights.configuration.embeddingLength),
            "positions": .integer(rows.tokens.count), "layout": .array(layout(rows, model)),
        ]
    }

    /// Tokens with their texts and ids, and runs of rows.
    private func layout(_ rows: PictureRows, _ model: LoadedModel) -> [JSONValue] {
        var layout: [JSONValue] = []
        var run = 0
        func endRun() {
            if run > 0 { layout.append(["rows": .integer(run)]) }
            run = 0
        }
        for token in rows.tokens {
            guard token != Prompt.noToken else {
                run += 1
                continue
            }
            endRun()
            layout.append(["token": .string(model.tokenizer.text(of: token) ?? ""), "id": .integer(Int(token))])
        }
        endRun()
        return layout
    }
}
