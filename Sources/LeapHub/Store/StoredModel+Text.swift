import Foundation
import LeapGGUF

/// What it takes to load a model that only reads and writes text.
extension StoredModel {
    /// The path of the weights. Sound is not taken yet, so a model that is to hear is not loaded as one that silently
    /// cannot.
    ///
    /// - Throws: ``HubError/companion(_:kind:path:model:)``.
    package var modelPath: String {
        get throws(HubError) {
            let path = url(of: .model)?.path ?? folder.path
            for (role, kind) in [
                (ModelFileRole.audioDecoder, "a decoder for sound"), (.audioTokenizer, "a tokenizer for sound"),
            ] {
                guard let companion = url(of: role) else { continue }
                throw .companion("\(location)", kind: kind, path: companion.path, model: path)
            }
            return path
        }
    }

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
