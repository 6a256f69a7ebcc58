import ArgumentParser
import Foundation
import LeapBlocks
import LeapConvert
import LeapGGUF
import LeapHub
import LeapQuantize
import LeapToolSupport

/// `leap convert`: converts a model in a Hugging Face folder to a GGUF file.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Writes a Hugging Face model as a GGUF file.",
        discussion: """
            FOLDER must contain config.json, safetensors files and a tokenizer. Tensors are those of llama.cpp's \
            convert_hf_to_gguf.py. A model that cannot be represented in a GGUF file, or run, is rejected. \
            Architectures: \
            \(ModelConversion.architectures.joined(separator: ", ")).
            """)

    @Argument(help: "A folder with config.json and *.safetensors.", completion: .directory)
    var folder: String

    @Argument(
        help: "The file to write, which appears only when it is complete (default: NAME-TYPE.gguf in this folder).",
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The type of matrices: f32, f16, bf16, q8_0, or auto for the half-precision type they are stored in.",
            valueName: "type"))
    var outtype: OutputType = .auto

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("The file to write.", valueName: "file"),
        completion: .file())
    var outfile: String?

    @Option(help: ArgumentHelp("The model name to store in the file (default: the folder's).", valueName: "name"))
    var modelName: String?

    @Flag(help: "Show what would be written, without writing it.")
    var dryRun = false

    /// A type of matrices, by the converter's names.
    enum OutputType: String, ExpressibleByArgument, CaseIterable {
        case auto, f32, f16, bf16, q8_0

        var type: GGMLType? {
            switch self {
            case .auto: nil
            case .f32: .F32
            case .f16: .F16
            case .bf16: .BF16
            case .q8_0: .Q8_0
            }
        }
    }

    func validate() throws {
        if output != nil, outfile != nil {
            throw ValidationError("Give the output file either as an argument or with --outfile.")
        }
    }

    func run() throws {
        let folder = try ModelFolder(path: folder)
        let conversion = try ModelConversion(folder, outputType: outtype.type, name: modelName)
        try RunCheck.check(conversion.outline())
        if dryRun { return Console.line(Self.text(conversion)) }
        let path = output ?? outfile ?? Self.fileName(modelName ?? folder.name, conversion.outputType)
        try OutputPlace.check(path, bytes: conversion.byteCount, inputs: [folder.path])
        try conversion.writeShowingProgress(to: path)
        Console.error("wrote \(path): \(Self.sum(conversion))")
    }

    /// The name of a file in this folder, which is neither hidden nor looks like an option; a model may have any name.
    private static func fileName(_ modelName: String, _ type: GGMLType) -> String {
        let stem = String(modelName.map { $0 == "/" || $0 == "\0" ? "-" : $0 }.drop { ".-".contains($0) })
        return "\(stem.isEmpty ? "model" : stem)-\(type.name).gguf"
    }

    private static func text(_ conversion: ModelConversion) -> String {
        let width = conversion.tensors.map(\.name.count).max() ?? 0
        let lines = conversion.tensors.map { tensor in
            "\(tensor.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(tensor.type.name)  \(tensor.dimensions)"
        }
        return (lines + ["", sum(conversion)]).joined(separator: "\n")
    }

    private static func sum(_ conversion: ModelConversion) -> String {
        "\(conversion.architecture), \(conversion.tensors.count) tensors, \(conversion.byteCount) bytes"
    }
}
