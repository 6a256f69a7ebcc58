import Foundation
import LeapConvert
import LeapGGUF
import LeapHub
import LeapQuantize
import LeapToolSupport

/// Checks the destination of a file.
enum OutputPlace {
    /// Rejects a destination for a file that is written incrementally: a folder, a device, a name that no file can have, a
    /// location without write permission, one of the input files, or a disk without enough space. Where the path is a symbolic
    /// link, what counts is the place that it leads to.
    ///
    /// - Parameters:
    ///   - path: The file to write; an existing one is replaced once the new one is complete.
    ///   - bytes: Its approximate size.
    ///   - inputs: The input files, and folders from which a file is converted.
    static func check(_ path: String, bytes: Int, inputs: [String]) throws {
        switch FileKind(path: path) {
        case .directory: throw CommandError("\(path) is a folder, expected a file to write.")
        case .pipe, .socket, .other: throw CommandError("\(path) is not a regular file, which the output must be.")
        case .regular, nil: break
        }
        guard path != "-" else {
            throw CommandError("'-' is not supported: this file cannot be written to standard output.")
        }
        let place = try NewFile.place(of: path)
        try OutputFile.checkFolder(of: place)
        try OutputFile.refuse(path, among: inputs.flatMap(files) + inputs.flatMap(otherFiles))
        let folder = URL(filePath: place).deletingLastPathComponent()
        if let free = DiskSpace.available(at: folder), free < Int64(bytes) {
            throw QuantizationError.noSpace(path: path, needed: bytes, free: Int(clamping: free))
        }
    }

    /// Rejects a destination for a file that is written at once: one without write permission, or one of the input
    /// files, or of the files of an input folder.
    static func check(_ path: String, inputs: [String]) throws(CommandError) {
        try OutputFile.check(path, inputs: inputs.flatMap(files))
    }

    /// Of a model's folder, the files that a conversion reads.
    private static func files(of input: String) -> [String] {
        guard let folder = try? ModelFolder(path: input), let files = try? FolderDigest.paths(of: folder) else {
            return [input]
        }
        return files
    }

    /// Of a model's folder, all files but models in GGUF, which earlier conversions may have written.
    private static func otherFiles(of input: String) -> [String] {
        guard ModelFolder.isModelFolder(input) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: input)) ?? []
        return names.map { "\(input)/\($0)" }.filter { FileKind(path: $0) == .regular && !isGGUF($0) }
    }

    private static func isGGUF(_ path: String) -> Bool {
        (try? FileHandle(forReadingAtPath: path)?.read(upToCount: 4)) == Data("GGUF".utf8)
    }
}

extension ModelName {
    /// The file or the folder that the user named, an input beside the file that is computed with; none for a model's name.
    var inputs: [String] { if case .file(let path) = self { [path] } else { [] } }
}
