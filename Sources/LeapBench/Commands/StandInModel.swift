import Foundation
import LeapGGUF
import LeapQuantize

/// The model that is measured when none is named: synthesised once, kept in the system's folder for temporary files.
enum StandInModel {
    static let model = SyntheticModel(shape: shape, fileType: .Q4_K_M, seed: 1)

    /// Real enough to show what a machine can do, and small enough to be measured in less than a minute.
    private static let shape = ModelShape.all[0]

    /// The path of the file, which is written first where it is missing or broken.
    ///
    /// - Parameter note: Says what is done.
    static func path(
        in folder: URL = FileManager.default.temporaryDirectory, note: (String) -> Void
    ) throws -> String {
        let path = folder.appendingPathComponent("leap-bench-\(model.name).gguf").path
        if (try? GGUFFile(path: path)) != nil {
            note("no model given: measuring \(path), random weights of the shape \(model.shape.name)")
        } else {
            note("no model given: writing \(path), random weights of the shape \(model.shape.name)")
            try model.write(to: path)
        }
        return path
    }
}
