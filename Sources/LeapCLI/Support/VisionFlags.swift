import ArgumentParser
import LeapEngine
import LeapHub

/// The projector for pictures or sound.
struct ProjectorFlags: ParsableArguments {
    @Option(
        name: [.customLong("mm", withSingleDash: true), .customLong("mmproj")],
        help: ArgumentHelp(
            "The projector for picture or audio input (default: the file mmproj-….gguf beside the model).",
            valueName: "file"), completion: .file())
    private var projector: String?

    @Flag(name: [.customLong("no-mmproj"), .customLong("no-mmproj-auto")], help: .hidden)
    private var ignoresProjectorBeside = false

    /// The projector's file, if one is named.
    var path: String? { projector }

    /// Applies the flags to the options of a load.
    func apply(to options: inout ModelOptions) {
        let beside = ignoresProjectorBeside ? nil : CompanionFiles.projector(besideFile: options.path)
        options.projectorPath = projector ?? beside
        options.requiresProjector = projector != nil
    }
}

/// The projector for pictures and sound, and how pictures are processed.
struct VisionFlags: ParsableArguments {
    @OptionGroup private var projector: ProjectorFlags

    @Option(parsing: .unconditional, help: "Minimum number of tokens per picture (default: 64).")
    private var imageMinTokens: Int?

    @Option(
        parsing: .unconditional,
        help: "Maximum number of tokens per picture that is not split into tiles (default: 256).")
    private var imageMaxTokens: Int?

    @Flag(
        help: ArgumentHelp(
            "Preserve the aspect ratio of pictures that are split into tiles, for comparison with llama.cpp.",
            visibility: .hidden))
    private var letterbox = false

    /// The projector's file, if one is named.
    var path: String? { projector.path }

    func validate() throws {
        if let imageMinTokens, let imageMaxTokens, imageMinTokens > imageMaxTokens {
            throw ValidationError(
                "--image-min-tokens must not exceed --image-max-tokens, but \(imageMinTokens) is more than "
                    + "\(imageMaxTokens).")
        }
    }

    /// Applies the flags to the options of a load.
    func apply(to options: inout ModelOptions) {
        options.imageMinTokens = imageMinTokens
        options.imageMaxTokens = imageMaxTokens
        options.letterboxesPictures = letterbox
        projector.apply(to: &options)
    }
}
