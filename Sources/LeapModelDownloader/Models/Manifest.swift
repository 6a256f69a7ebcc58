import Foundation
import LeapHub
public import LeapSDK

/// Same as `ModelManifest`, under its name in versions 0.10.
public typealias Manifest = ModelManifest

/// The parameters in a manifest for loading a model.
public struct LoadTimeParameters: Hashable, Sendable {
    /// The URL of the language model, which may be relative to the manifest.
    public let model: String
    /// The URL of the projector for image or audio input, if any.
    public let multimodalProjector: String?
    /// The URL of the audio decoder, if any.
    public let audioDecoder: String?
    /// The URL of the audio tokenizer, if any.
    public let audioTokenizer: String?
    /// The chat template, if any.
    public let chatTemplate: String?
    /// The folder of a manifest on this machine, where its relative references start.
    fileprivate var folder: URL?

    /// Creates parameters for a model's files.
    public init(
        model: String, multimodalProjector: String? = nil, audioDecoder: String? = nil, audioTokenizer: String? = nil,
        chatTemplate: String? = nil
    ) {
        self.model = model
        self.multimodalProjector = multimodalProjector
        self.audioDecoder = audioDecoder
        self.audioTokenizer = audioTokenizer
        self.chatTemplate = chatTemplate
    }

    /// Returns the template for a model's file: a manifest's only if the file has none, else the one that an app gave. A
    /// file that cannot be read is reported when it is loaded.
    fileprivate func template(forFile path: String) -> String? {
        guard folder != nil else { return chatTemplate }
        return try? StoredModel.template(chatTemplate, inReserveFor: path)
    }

    /// Returns the path of a file on this machine, given as a path or a file URL.
    fileprivate func path(_ reference: String) -> String {
        if reference.hasPrefix("file://"), let url = URL(string: reference) { return url.path }
        return URL(filePath: reference, relativeTo: folder).absoluteURL.path
    }
}

extension LeapClient {
    /// Loads a model from files on this machine, such as those of a manifest there.
    ///
    /// - Parameters:
    ///   - params: The files, whose names come before those in the options. Relative paths start at the manifest's folder.
    ///   - generationParams: Defaults for all generations.
    ///   - options: Loading options; `nil` for the defaults. Their chat template comes first; that of a manifest is used if
    ///     the model's file has none.
    /// - Throws: `LeapError.modelLoadingFailure` if the model cannot be loaded.
    public func loadModel(
        params: LoadTimeParameters, generationParams: GenerationTimeParameters? = nil,
        options: LiquidInferenceEngineOptions? = nil
    ) async throws -> any ModelRunner {
        let model = params.path(params.model)
        var options = options ?? LiquidInferenceEngineOptions(bundlePath: model)
        options.chatTemplate = options.chatTemplate ?? params.template(forFile: model)
        return try await LeapInferenceEngine.shared.loadModel(
            modelPath: model, mmprojPath: params.multimodalProjector.map(params.path),
            audioDecoderPath: params.audioDecoder.map(params.path),
            audioTokenizerPath: params.audioTokenizer.map(params.path), options: options,
            generationTimeParameters: generationParams)
    }
}

extension ModelManifest {
    /// The parameters for loading the model.
    public var loadTimeParameters: LoadTimeParameters {
        var parameters = LoadTimeParameters(
            model: reference(to: .model) ?? "", multimodalProjector: reference(to: .multimodalProjector),
            audioDecoder: reference(to: .audioDecoder), audioTokenizer: reference(to: .audioTokenizer),
            chatTemplate: chatTemplate)
        parameters.folder = pathOnDisk.map { URL(filePath: $0).deletingLastPathComponent() }
        return parameters
    }

    /// The parameters that the manifest recommends for generations; `nil` if there are none.
    public var generationTimeParameters: GenerationTimeParameters? { generationParameters }
}
