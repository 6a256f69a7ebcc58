package import LeapBlocks
import LeapGGUF

/// Why a model cannot be quantised.
package enum QuantizationError: Error, Hashable, CustomStringConvertible {
    /// A rule of the user gives a tensor a type whose blocks do not fill its rows.
    case partialBlock(tensor: String, type: GGMLType, columns: Int)
    /// A rule of the user asks for a type that cannot be written.
    case unwritableType(GGMLType)
    /// Weights are already quantised, and the caller did not allow quantising them again.
    case alreadyQuantized(tensor: String, type: GGMLType)
    /// Weights of a type whose values cannot be read.
    case unreadableType(tensor: String, type: GGMLType)
    /// A weight that is infinite or NaN, or beyond the range of its target type.
    case weight(tensor: String, row: Int, column: Int, value: Float, type: GGMLType)
    /// A pattern that is not a regular expression.
    case pattern(String)
    /// A file that is not an importance matrix, or not one of this model.
    case importance(file: String, problem: String)
    /// The disk does not have enough free space.
    case noSpace(path: String, needed: Int, free: Int)

    /// What failed, where, and what to do.
    package var description: String { singleLine(text) }

    private var text: String {
        switch self {
        case .partialBlock(let tensor, let type, let columns):
            """
            \(tensor) cannot be \(type.name): its rows have \(columns) elements, which is not a multiple of the \
            block size \(type.elementsPerBlock); choose a type with smaller blocks, such as \(Self.smaller(type).name)
            """
        case .unwritableType(let type):
            "\(type.name) cannot be written; expected one of \(RowEncoder.types.map(\.name).joined(separator: ", "))"
        case .alreadyQuantized(let tensor, let type):
            """
            \(tensor) is already \(type.name), and requantising loses more than starting from F32, F16 or BF16; use \
            --allow-requantize to do it anyway
            """
        case .unreadableType(let tensor, let type):
            "\(tensor) has type \(type.name), whose values cannot be decoded, so it can only be copied"
        case .weight(let tensor, let row, let column, let value, let type):
            value.isFinite
                ? "\(tensor): \(value) in row \(row), column \(column) is outside the range of \(type.name); choose \(type == .BF16 ? "F32" : "BF16 or F32")"
                : "\(tensor): expected finite weights, found \(value) in row \(row), column \(column): the file is damaged"
        case .pattern(let pattern): "'\(pattern)' is not a valid regular expression"
        case .importance(let file, let problem): "\(file): \(problem)"
        case .noSpace(let path, let needed, let free):
            "\(path): \(needed) bytes are needed, but only \(free) are free"
        }
    }

    private static func smaller(_ type: GGMLType) -> GGMLType { type.elementsPerBlock > 32 ? .Q8_0 : .F16 }
}
