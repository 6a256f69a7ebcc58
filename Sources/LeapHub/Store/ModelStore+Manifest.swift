import Foundation
import LeapJSON

extension ModelStore {
    /// Writes a manifest whose references are names of files in the model's folder. It makes no model: that takes the files,
    /// and the list of them. The manifest of a model that is here stays as it is.
    ///
    /// - Returns: The path of the manifest.
    package func save(_ manifest: ModelManifest, of location: ModelLocation) throws(HubError) -> String {
        let path = url(of: location).appending(path: Self.manifestName).path
        guard try model(at: location) == nil, let folder = try folder(location, creates: true) else { return path }
        var references: [ModelFileRole: String] = [:]
        for role in ModelFileRole.allCases {
            references[role] = manifest.reference(to: role).map { reference in
                URL(string: reference)?.lastPathComponent ?? reference
            }
        }
        let document = manifest.replacing(references: references, members: ["path_on_disk": nil])
        try folder.write(Data(document.text(.pretty).utf8), to: Self.manifestName)
        return path
    }
}
