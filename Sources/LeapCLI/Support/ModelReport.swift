import Foundation
import LeapHTTP
import LeapHub
import LeapJSON
import LeapToolSupport

/// Models as text and as JSON.
enum ModelReport {
    // MARK: On this machine

    static func json(_ model: StoredModel) -> JSONValue {
        let files = model.files.map { file -> JSONValue in
            [
                "role": .string(file.role.rawValue), "name": .string(file.name.text),
                "path": .string(model.folder.appending(path: file.name.text).path), "size": .integer(Int(file.size)),
                "sha256": file.sha256.map(JSONValue.string) ?? .null, "url": .string(file.url),
            ]
        }
        return [
            "name": .string("\(model.location)"), "folder": .string(model.folder.path),
            "size": .integer(Int(model.size)),
            "inferenceType": .string(model.manifest.inferenceType),
            "manifest": model.manifest.originalUrl.map(JSONValue.string) ?? .null, "files": .array(files),
        ]
    }

    /// The same members for a download that is not complete; `size` is that of what is here, in bytes.
    static func json(_ location: ModelLocation, size: Int64, in store: ModelStore) -> JSONValue {
        [
            "name": .string("\(location)"), "folder": .string(store.url(of: location).path),
            "size": .integer(Int(size)), "inferenceType": .null, "manifest": .null, "files": [], "incomplete": true,
        ]
    }

    /// The same members; `convertedFrom` is the folder, if it is known.
    static func json(_ model: ConvertedModel) -> JSONValue {
        let file: JSONValue = [
            "role": .string(ModelFileRole.model.rawValue), "name": .string(model.file.lastPathComponent),
            "path": .string(model.file.path), "size": .integer(Int(model.size)), "sha256": .null, "url": .null,
        ]
        return [
            "name": .string(model.name), "folder": .string(model.file.deletingLastPathComponent().path),
            "size": .integer(Int(model.size)), "inferenceType": .null, "manifest": .null, "files": [file],
            "convertedFrom": model.folder.map(JSONValue.string) ?? .null,
        ]
    }

    static func text(_ model: StoredModel) -> String {
        var lines = [
            "name      \(model.location)", "type      \(model.manifest.inferenceType)",
            "manifest  \(model.manifest.originalUrl ?? "none")", "folder    \(model.folder.path)",
        ]
        for file in model.files { lines.append("file      \(file.name)  \(ByteCount.text(file.size))  \(file.role)") }
        return lines.joined(separator: "\n")
    }

    // MARK: Elsewhere

    static func json(_ manifest: ResolvedManifest, at location: ModelLocation) -> JSONValue {
        let files = manifest.files.map { file -> JSONValue in
            [
                "role": .string(file.role.rawValue), "name": .string(file.name.text), "path": .null,
                "size": file.size.map { .integer(Int($0)) } ?? .null,
                "sha256": file.sha256.map(JSONValue.string) ?? .null,
                "url": .string(file.url.absoluteString),
            ]
        }
        return [
            "name": .string("\(location)"), "folder": .null,
            "size": total(manifest).map { .integer(Int($0)) } ?? .null,
            "inferenceType": .string(manifest.manifest.inferenceType), "manifest": .string(manifest.url.absoluteString),
            "files": .array(files),
        ]
    }

    static func text(_ manifest: ResolvedManifest, at location: ModelLocation, pulledAs name: String) -> String {
        var lines = [
            "name      \(location)", "type      \(manifest.manifest.inferenceType)",
            "manifest  \(manifest.url.withoutSecrets)", "folder    not on this machine: leap pull \(name)",
        ]
        for file in manifest.files {
            lines.append("file      \(file.name)  \(file.size.map(ByteCount.text) ?? "size unknown")  \(file.role)")
        }
        return lines.joined(separator: "\n")
    }

    private static func total(_ manifest: ResolvedManifest) -> Int64? {
        let sizes = manifest.files.map(\.size)
        return sizes.contains(nil) ? nil : sizes.compactMap(\.self).reduce(0, +)
    }
}
