import Foundation
import LeapChat
import LeapGGUF

extension Inspection {
    /// The inspection for a person.
    func text(tensors listsTensors: Bool) -> String {
        var lines = ["file       \(file.path)"]
        lines.append("size       \(bytes(file.fileSize)), GGUF version \(file.version)")
        lines.append("")
        lines.append("metadata")
        lines += file.metadata.keys.map { "  \($0) = \(summary(of: $0))" }
        lines.append("")
        lines.append("tensors    \(file.tensors.count)")
        lines += types.map {
            "  " + "\($0.type)".padding(toLength: 8, withPad: " ", startingAt: 0)
                + String(format: "%5d tensors  %12d elements  ", $0.count, $0.elements) + bytes($0.bytes)
        }
        if listsTensors {
            lines.append("")
            lines += file.tensors.map { "  \($0.name)  \($0.type)  \($0.dimensions)  \(bytes($0.byteCount))" }
        }
        lines.append("")
        lines += memoryLines
        return (lines + supportLines).joined(separator: "\n")
    }

    private var memoryLines: [String] {
        guard let plan else { return [] }
        return [
            "memory for a context of \(plan.contextSize) tokens",
            "  weights  \(bytes(plan.weightBytes)), mapped from the file",
            "  state    \(bytes(plan.stateBytes)), when the context is full",
            "  scratch  \(bytes(plan.scratchBytes))",
            "",
        ]
    }

    private var supportLines: [String] {
        unsupported.isEmpty ? ["supported  yes"] : ["supported  no"] + unsupported.map { "  \($0)" }
    }

    /// A value in one short line; arrays by their length.
    private func summary(of key: String) -> String {
        guard let value = file.metadata.value(key) else { return "" }
        let text = "\(value)".replacing("\n", with: "\\n")
        return text.count <= 80 ? text : text.prefix(77) + "…"
    }

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
    /// The inspection for a program.
    func json(listingTensors: Bool) -> JSONValue {
        var object: JSONValue.Object = [
            "path": .string(file.path),
            "fileSize": .integer(file.fileSize),
            "version": .integer(Int(file.version)),
            "metadata": .object(metadataJSON),
            "types": .array(
                types.map {
                    .object([
                        "type": .string($0.type.name), "tensors": .integer($0.count),
                        "elements": .integer($0.elements), "bytes": .integer($0.bytes),
                    ])
                }),
            "tensors": .array(
                file.tensors.map {
                    .object([
                        "name": .string($0.name), "type": .string($0.type.name),
                        "dimensions": .array($0.dimensions.map { .integer($0) }), "bytes": .integer($0.byteCount),
                    ])
                }),
            "supported": .bool(unsupported.isEmpty),
            "unsupported": .array(unsupported.map { .string($0) }),
        ]
        if let plan {
            object["memory"] = .object([
                "contextSize": .integer(plan.contextSize), "weightBytes": .integer(plan.weightBytes),
                "stateBytes": .integer(plan.stateBytes), "scratchBytes": .integer(plan.scratchBytes),
                "privateBytes": .integer(plan.privateBytes),
            ])
        }
        return .object(object)
    }
}
