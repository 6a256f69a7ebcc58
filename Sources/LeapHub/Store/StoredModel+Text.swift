import Foundation
import LeapGGUF

/// What it takes to load a model that only reads and writes text.
extension StoredModel {
    /// The path of the weights.
    package var modelPath: String { url(of: .model)?.path ?? folder.path }

    /// The manifest's template, if the file has none. Where it has one, that is the better: manifests have simpler ones,
    /// which know neither functions nor where an answer begins.
    ///
    /// - Throws: `GGUFError` for a file that cannot be read.
    package var templateInReserve: String? {
        get throws(GGUFError) {
            guard let template = manifest.chatTemplate, let path = url(of: .model)?.path else { return nil }
            return try GGUFFile(path: path).metadata.contains("tokenizer.chat_template") ? nil : template
        }
    }
}
