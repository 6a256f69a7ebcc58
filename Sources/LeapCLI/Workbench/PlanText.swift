import Foundation
import LeapBlocks
import LeapGGUF
import LeapQuantize
import LeapToolSupport

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
            return "\(name)  \(conversion.tensor.dimensions)  \(change)  \(ByteCount.text(Int64(conversion.byteCount)))"
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    /// The totals in one line: `Q4_K_M, 106.1 MB instead of 269.1 MB, 4.83 bits per weight`.
    var summary: String {
        let before = plan.file.tensors.reduce(0) { $0 + $1.byteCount }
        let elements = plan.file.tensors.reduce(0) { $0 + $1.elementCount }
        let bits = elements == 0 ? 0 : 8 * Double(plan.byteCount) / Double(elements)
        return String(
            format: "%@, %@ instead of %@, %.2f bits per weight", plan.recipe.fileType.name,
            ByteCount.text(Int64(plan.byteCount)), ByteCount.text(Int64(before)), bits)
    }
}
