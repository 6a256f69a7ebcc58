public import Foundation
import LeapJSON

/// Finds the files for images and audio next to a model.
public enum CompanionFiles {
    /// Returns the path of the projector next to a model; `nil` if there is none, or the folder cannot be listed.
    public static func projector(besideFile path: String) -> String? {
        try? beside(URL(filePath: path))[.multimodalProjector]?.path
    }

    /// Returns the path of the audio tokenizer next to a vocoder; `nil` if there is none, or the folder cannot be
    /// listed.
    public static func tokenizer(besideFile path: String) -> String? {
        try? beside(URL(filePath: path))[.audioTokenizer]?.path
    }

    /// Finds companion files by their names: `mmproj-…`, `vocoder-…` and other names of audio decoders, and
    /// `tokenizer-…`. If there are several of a kind, returns the one whose name has most in common with the model's.
    ///
    /// - Throws: ``HubError/file(_:_:_:)`` if the folder cannot be read.
    public static func beside(_ model: URL) throws(HubError) -> [ModelFileRole: URL] {
        let folder = model.deletingLastPathComponent()
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw .file(folder.path, "list", error.localizedDescription)
        }
        let others = names.filter { $0 != model.lastPathComponent }.nearest(to: model.lastPathComponent)
        var companions: [ModelFileRole: URL] = [:]
        for name in others {
            guard let role = ModelFileRole(fileName: name), role != .model, companions[role] == nil else { continue }
            companions[role] = folder.appending(path: name)
        }
        return companions
    }
}
