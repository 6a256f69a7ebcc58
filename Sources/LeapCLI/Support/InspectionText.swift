import Foundation
import LeapBlocks
import LeapEngine
import LeapGGUF
import LeapJSON
import LeapModels
import LeapOps
import LeapQuantize
import LeapToolSupport
import OrderedCollections

extension Inspection {
    /// The inspection as text.
    func text(tensors listsTensors: Bool) -> String {
        var lines = [row("file", file.path)]
        lines.append(row("size", "\(fileBytes(file.fileSize)), GGUF version \(file.version)"))
        lines.append("")
        lines.append("metadata")
        lines += file.metadata.keys.map { "  \($0) = \(summary(of: $0))" }
        lines.append("")
        lines.append(row("tensors", "\(file.tensors.count)"))
        lines += types.map {
            "  " + "\($0.type)".padding(toLength: 8, withPad: " ", startingAt: 0)
                + String(format: "%5d tensors  %12d elements  ", $0.count, $0.elements) + fileBytes($0.bytes)
        }
        if listsTensors {
            lines.append("")
            lines += file.tensors.map { "  \($0.name)  \($0.type)  \($0.dimensions)  \(fileBytes($0.byteCount))" }
        }
        lines.append("")
        lines += memoryLines + visionEncoderLines + audioEncoderLines + vocoderLines + adapterLines + importanceLines
        return (lines + supportLines + warnings.map { row("warning", $0) }).map(singleLine).joined(separator: "\n")
    }

    /// A label, with spaces before it in a section, and what it says in a second column.
    private func row(_ label: String, _ text: String) -> String {
        label.padding(toLength: 16, withPad: " ", startingAt: 0) + text
    }

    private var memoryLines: [String] {
        guard let plan else { return [] }
        return [
            "memory for a context of \(plan.contextSize) tokens",
            row("  weights", "\(bytes(plan.weightBytes)), mapped from the file"),
            row("  state", "\(bytes(plan.stateBytes)), when the context is full"),
            row("  scratch", bytes(plan.scratchBytes)),
            row("  fits", "\(largestContext) tokens in the \(bytes(SystemMemory.available)) of memory available now"),
            "",
        ]
    }

    private var visionEncoderLines: [String] {
        guard case .success(let encoder)? = projector else { return [] }
        let configuration = encoder.configuration
        return [
            row("vision encoder", "\(configuration.blockCount) layers, \(configuration.embeddingLength) wide"),
            row("  pixels", "\(configuration.pixelsPerRow) × \(configuration.pixelsPerRow) per row"),
            row("  rows", "\(configuration.outputLength) wide, for language models of that width"), "",
        ]
    }

    private var audioEncoderLines: [String] {
        guard case .success(let encoder)? = audioEncoder else { return [] }
        let configuration = encoder.configuration
        return [
            row("audio encoder", "\(configuration.blockCount) layers, \(configuration.embeddingLength) wide"),
            row("  sound", "\(configuration.bands) bands, 100 frames per second, 8 frames per row"),
            row("  rows", "\(configuration.outputLength) wide, for language models of that width"), "",
        ]
    }

    private var vocoderLines: [String] {
        guard case .success(let depthformer)? = vocoder else { return [] }
        let configuration = depthformer.configuration
        return [
            row("vocoder", "audio codes for language models \(configuration.modelWidth) wide"),
            row("  frame", "\(VocoderConfiguration.books) codes, 80 ms"),
            row("  layers", "\(configuration.blockCount), \(configuration.width) wide"), "",
        ]
    }

    private var adapterLines: [String] {
        guard case .success(let adapter)? = adapter else { return [] }
        return [
            row("adapter", "LoRA for a model of architecture \(adapter.architecture)"),
            row("  changes", "\(adapter.changes.count) tensors"),
            row("  rank", adapter.ranks.map(String.init).joined(separator: ", ")),
            row("  alpha", adapter.alpha.map { "\($0)" } ?? "none: changes are applied unscaled"), "",
        ]
    }

    private var importanceLines: [String] {
        guard case .success(let sums)? = importance else { return [] }
        return [
            "importance matrix of \(sums.entries.count) tensors, for 'leap quantize --imatrix'",
            row("  windows", "\(sums.chunkCount) of \(sums.chunkSize) tokens"), "",
        ]
    }

    private var supportLines: [String] {
        guard unsupported.isEmpty else { return [row("supported", "no")] + unsupported.map { "  \($0)" } }
        return [row("supported", onlyEmbeds ? "yes, for embeddings: 'leap embed' and 'leap rerank'" : "yes")]
    }

    /// A value in one short line; a long array by its length and first elements.
    private func summary(of key: String) -> String {
        let text: String
        switch file.metadata.value(key) {
        case .array(let array):
            let first = array.indices.prefix(8).map { Self.brief(array, $0) }.joined(separator: ", ")
            text = array.count <= 8 ? "[\(first)]" : "\(array.count) × \(array.elementType): \(first), …"
        case .string(let string): text = string.replacing("\n", with: "⏎")
        case .some(let value): text = Self.text(value)
        case nil: text = ""
        }
        return text.count <= 80 ? text : text.prefix(79) + "…"
    }

    /// An element; strings, which may have megabytes, are cut to what a line could show.
    private static func brief(_ array: GGUFArray, _ index: Int) -> String {
        guard let strings = array.strings else { return text(array[index]) }
        return JSONValue.string(String(decoding: strings.utf8(at: index).prefix(320), as: UTF8.self)).text()
    }

    /// A value as JSON, except for the numbers that JSON does not have.
    private static func text(_ value: GGUFValue) -> String {
        switch value {
        case .float32(let number) where !number.isFinite: "\(number)"
        case .float64(let number) where !number.isFinite: "\(number)"
        default: json(value).text()
        }
    }

    /// A part of a file, in the units of downloads and of 'leap list'.
    private func fileBytes(_ count: Int) -> String { ByteCount.text(Int64(count)) }

    /// An amount of memory.
    private func bytes(_ count: Int) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        var value = Double(count)
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return unit == 0 ? "\(count) B" : String(format: "%.1f %@", value, units[unit])
    }
}

extension Inspection {
    /// The inspection as JSON.
    var json: JSONValue {
        var object: OrderedDictionary<String, JSONValue> = [
            "path": .string(file.path),
            "fileSize": .integer(file.fileSize),
            "version": .integer(Int(file.version)),
            "metadata": metadataJSON,
            "types": .array(
                types.map {
                    [
                        "type": .string($0.type.name), "tensors": .integer($0.count),
                        "elements": .integer($0.elements), "bytes": .integer($0.bytes),
                    ]
                }),
            "tensors": .array(
                file.tensors.map {
                    [
                        "name": .string($0.name), "type": .string($0.type.name),
                        "dimensions": .array($0.dimensions.map { .integer($0) }), "bytes": .integer($0.byteCount),
                    ]
                }),
            "supported": .bool(unsupported.isEmpty), "onlyEmbeds": .bool(onlyEmbeds),
            "unsupported": .array(unsupported.map { .string($0) }),
            "warnings": .array(warnings.map { .string($0) }),
        ]
        if let plan {
            object["memory"] = [
                "contextSize": .integer(plan.contextSize), "weightBytes": .integer(plan.weightBytes),
                "stateBytes": .integer(plan.stateBytes), "scratchBytes": .integer(plan.scratchBytes),
                "privateBytes": .integer(plan.privateBytes), "largestContextSize": .integer(largestContext),
            ]
        }
        if case .success(let adapter)? = adapter {
            object["adapter"] = [
                "architecture": .string(adapter.architecture), "changes": .integer(adapter.changes.count),
                "ranks": .array(adapter.ranks.map { .integer($0) }),
                "alpha": adapter.alpha.map { .number(Double($0)) } ?? .null,
            ]
        }
        if case .success(let encoder)? = projector {
            let configuration = encoder.configuration
            object["projector"] = [
                "blockCount": .integer(configuration.blockCount),
                "embeddingLength": .integer(configuration.embeddingLength),
                "feedForwardLength": .integer(configuration.feedForwardLength),
                "headCount": .integer(configuration.headCount), "patchSize": .integer(configuration.patchSize),
                "scaleFactor": .integer(configuration.scaleFactor),
                "positionsPerSide": .integer(configuration.positionsPerSide),
                "projectorLength": .integer(configuration.projectorLength),
                "outputLength": .integer(configuration.outputLength),
            ]
        }
        if case .success(let encoder)? = audioEncoder {
            let configuration = encoder.configuration
            object["hearing"] = [
                "blockCount": .integer(configuration.blockCount),
                "embeddingLength": .integer(configuration.embeddingLength),
                "feedForwardLength": .integer(configuration.feedForwardLength),
                "headCount": .integer(configuration.headCount), "bands": .integer(configuration.bands),
                "projectorLength": .integer(configuration.projectorLength),
                "outputLength": .integer(configuration.outputLength),
            ]
        }
        return .object(object)
    }
}

extension Inspection {
    /// Longer arrays are replaced by their length: vocabularies would dominate the output.
    private static let longestArray = 64

    private var metadataJSON: JSONValue {
        var members: OrderedDictionary<String, JSONValue> = [:]
        for key in file.metadata.keys {
            members[key] = file.metadata.value(key).map { Self.json($0) } ?? .null
        }
        return .object(members)
    }

    private static func json(_ value: GGUFValue) -> JSONValue {
        switch value {
        case .array(let array) where array.count <= longestArray: .array(array.map(json))
        case .array(let array): ["type": .string(array.typeDescription), "count": .integer(array.count)]
        default: value.scalarJSON ?? .null
        }
    }
}
