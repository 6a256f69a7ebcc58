import Foundation
package import LeapGGUF

/// The files that are needed to load a text-only model.
extension StoredModel {
    /// The path of the weights.
    package var modelPath: String { url(of: .model)?.path ?? folder.path }

    /// The manifest's template, if the file has none.
    ///
    /// - Throws: `GGUFError` for a file that cannot be read.
    package var templateInReserve: String? {
        get throws(GGUFError) {
            guard let path = url(of: .model)?.path else { return nil }
            return try Self.template(manifest.chatTemplate, inReserveFor: path)
        }
    }

    /// A manifest's template, if a model's file has none. The file's own is preferred, because templates in manifests
    /// are simpler: they support neither functions nor a generation prompt.
    ///
    /// - Throws: `GGUFError` for a file that cannot be read.
    package static func template(_ template: String?, inReserveFor path: String) throws(GGUFError) -> String? {
        guard let template else { return nil }
        return try GGUFFile(path: path).metadata.contains("tokenizer.chat_template") ? nil : template
    }
}
