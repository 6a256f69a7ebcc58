import Foundation
import LeapHub
import LeapQuantize
import LeapToolSupport

/// Where a file is to be written.
enum OutputPlace {
    /// Refuses a place that is a folder, one of the files that are read, or on a disk without room.
    ///
    /// - Parameters:
    ///   - path: The file to write; one that is there is replaced when the new one is complete.
    ///   - bytes: About as many as it will have.
    ///   - inputs: The files that are read for it.
    static func check(_ path: String, bytes: Int, inputs: [String]) throws {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw CommandError("\(path) is a folder, but the file to write must be named.")
        }
        try refuse(path, among: inputs)
        let folder = URL(filePath: path).deletingLastPathComponent()
        if let free = DiskSpace.available(at: folder), free < Int64(bytes) {
            throw QuantizationError.noSpace(path: path, needed: bytes, free: Int(clamping: free))
        }
    }

    /// Refuses a place that is one of the files that are read.
    static func refuse(_ path: String, among inputs: [String]) throws(CommandError) {
        for source in inputs where isSame(source, path) {
            throw CommandError("\(path) is a file that is read: write to another one.")
        }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(left, &first) == 0, stat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
