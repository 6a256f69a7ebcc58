import Foundation
import LeapBlocks
import LeapGGUF
import LeapQuantize

/// The plan of a file to be written, as text.
struct PlanText {
    private let plan: QuantizationPlan

    init(_ plan: QuantizationPlan) { self.plan = plan }

    /// Every tensor, then the totals.
    var text: String {
        let names = plan.conversions.map { singleLine($0.tensor.name) }
        let width = names.map(\.count).max() ?? 0
        let lines = zip(names, plan.conversions).map { name, conversion in
            let name = name.padding(toLength: width, withPad: " ", startingAt: 0)
            let before = conversion.tensor.type.name
            let change = before == conversion.type.name ? before : "\(before) → \(conversion.type.name)"
            return "\(name)  \(conversion.tensor.dimensions)  \(change)  \(Self.size(conversion.byteCount))"
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    /// The totals in one line: `Q4_K_M, 101.2 MiB instead of 256.6 MiB, 4.83 bits per weight`.
    var summary: String {
        let before = plan.file.tensors.reduce(0) { $0 + $1.byteCount }
        let elements = plan.file.tensors.reduce(0) { $0 + $1.elementCount }
        let bits = elements == 0 ? 0 : 8 * Double(plan.byteCount) / Double(elements)
        return String(
            format: "%@, %@ instead of %@, %.2f bits per weight", plan.recipe.fileType.name, Self.size(plan.byteCount),
            Self.size(before), bits)
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 20
            ? String(format: "%.1f KiB", Double(bytes) / 0x1p10) : String(format: "%.1f MiB", Double(bytes) / 0x1p20)
    }
}
