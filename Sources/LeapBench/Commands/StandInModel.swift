import Foundation
import LeapGGUF
import LeapQuantize
import LeapToolSupport

/// The model that is measured if none is named: synthesised once, and kept in the user's cache.
enum StandInModel {
    static let model = SyntheticModel(shape: shape, fileType: .Q4_K_M, seed: 1)

    /// Realistic enough to show what a machine can do, and small enough to be measured in less than a minute.
    private static let shape = ModelShape.all[0]

    /// The path of the file, which is written first if it is missing, damaged or a different one.
    ///
    /// - Parameters:
    ///   - folder: The folder (default: the user's cache).
    ///   - note: Called with a progress message.
    static func path(in folder: URL? = nil, note: (String) -> Void) throws -> String {
        let folder = try folder ?? ToolCache.folder("bench")
        let path = folder.appending(path: "leap-bench-\(model.name).gguf").path
        if let file = try? GGUFFile(path: path), model.hasTensors(of: file) {
            note("no model given: measuring \(path), random weights in the shape of \(model.shape.name)")
        } else {
            note("no model given: writing \(path), random weights in the shape of \(model.shape.name)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try model.write(to: path)
        }
        return path
    }
}

extension SyntheticModel {
    /// Whether a file has the tensors of this model, whatever their values.
    fileprivate func hasTensors(of file: GGUFFile) -> Bool {
        file.tensors.count == shape.tensors.count
            && zip(file.tensors, shape.tensors).allSatisfy { found, own in
                found.name == own.name && found.dimensions == own.dimensions && found.type == type(of: own)
            }
    }
}
