import Foundation
package import LeapHub
package import LeapSDKTypes

extension Hub {
    /// Downloads a model if necessary and loads it. If loading fails because files on disk have changed since they were
    /// downloaded, it downloads these again, once, and retries.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, or `CancellationError`.
    package func load(
        _ reference: ModelReference, isForced: Bool = false, options: LiquidInferenceEngineManifestOptions?,
        parameters: GenerationTimeParameters?, progress: DownloadProgressHandler?
    ) async throws -> LiquidInferenceEngineRunner {
        try await load(options: options, parameters: parameters) {
            let model = try await self.download(reference, isForced: isForced) { step in
                if let progress { step.tell(progress) }
            }
            await TransferProgress.drain(for: progress)
            return model
        }
    }

    /// The same for any way of downloading the model.
    ///
    /// - Parameter detectsCompanions: Whether to use companion files in the model's folder that its manifest does not name.
    package func load(
        options: LiquidInferenceEngineManifestOptions?, parameters: GenerationTimeParameters?,
        detectsCompanions: Bool = true, _ download: () async throws -> StoredModel
    ) async throws -> LiquidInferenceEngineRunner {
        func load(_ model: StoredModel) async throws -> LiquidInferenceEngineRunner {
            let (options, parameters) = try model.engineOptions(options, parameters)
            return try await LiquidInferenceEngineRunner.create(
                options: options, generationTimeParameters: parameters, detectsCompanions: detectsCompanions)
        }
        do {
            let model = try await download()
            do {
                return try await load(model)
            } catch let error as LeapError {
                guard let repaired = try await repair(model) else { throw error }
                return try await load(repaired)
            }
        } catch let error as HubError {
            throw LeapError.downloading(error)
        }
    }
}

extension StoredModel {
    /// Returns the options for loading the model's file, completed from the manifest.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    func engineOptions(
        _ options: LiquidInferenceEngineManifestOptions?, _ parameters: GenerationTimeParameters?
    ) throws(LeapError) -> (LiquidInferenceEngineOptions, GenerationTimeParameters?) {
        var result: LiquidInferenceEngineOptions
        do {
            result = (options ?? LiquidInferenceEngineManifestOptions()).engineOptions(bundlePath: modelPath)
            result.audioDecoderPath = result.audioDecoderPath ?? url(of: .audioDecoder)?.path
            result.audioTokenizerPath = result.audioTokenizerPath ?? url(of: .audioTokenizer)?.path
            result.mmProjPath = result.mmProjPath ?? url(of: .multimodalProjector)?.path
            if result.chatTemplate == nil { result.chatTemplate = try templateInReserve }
        } catch { throw .loading(folder.path, error) }
        let recommended = manifest.generationParameters
        return (result, try result.parameters(beside: parameters)?.over(recommended) ?? recommended)
    }
}

extension ModelManifest {
    /// The parameters that the manifest recommends for generations; `nil` if there are none.
    package var generationParameters: GenerationTimeParameters? {
        let sampling = SamplingParameters(
            temperature: samplingParameter("temperature"), topP: samplingParameter("top_p"),
            minP: samplingParameter("min_p"), repetitionPenalty: samplingParameter("repetition_penalty"),
            topK: samplingParameter("top_k").flatMap { Int(exactly: $0) },
            audioTemperature: samplingParameter("audio_temperature"),
            audioTopK: samplingParameter("audio_top_k").flatMap { Int(exactly: $0) })
        let parameters = GenerationTimeParameters(
            samplingParameters: sampling == SamplingParameters() ? nil : sampling,
            numberOfDecodingThreads: numberOfDecodingThreads)
        return parameters == GenerationTimeParameters() ? nil : parameters
    }
}
