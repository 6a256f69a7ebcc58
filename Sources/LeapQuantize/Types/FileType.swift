/// A mix of tensor types, with its number in `general.file_type`. Cases are spelled as in file names.
///
/// Source: the GGUF specification, `general.file_type`.
package enum FileType: Int, CaseIterable, Sendable {
    case F32 = 0
    case F16 = 1
    case Q4_0 = 2
    case Q4_1 = 3
    case Q8_0 = 7
    case Q5_0 = 8
    case Q5_1 = 9
    case Q2_K = 10
    case Q3_K_S = 11
    case Q3_K_M = 12
    case Q3_K_L = 13
    case Q4_K_S = 14
    case Q4_K_M = 15
    case Q5_K_S = 16
    case Q5_K_M = 17
    case Q6_K = 18
    case IQ4_NL = 25
    case IQ4_XS = 30
    case BF16 = 32
    case MXFP4_MOE = 38

    /// The name as it appears in file names, such as `Q4_K_M`.
    package var name: String { String(describing: self) }

    /// The type with a name, in upper or lower case.
    package init?(name: String) {
        let wanted = name.uppercased()
        guard let type = Self.allCases.first(where: { $0.name == wanted }) else { return nil }
        self = type
    }

    /// The name in a report, as llama-bench spells it: `Q4_K - Medium`.
    package var reportName: String {
        switch self {
        case .F32: "all F32"
        case .Q2_K: "Q2_K - Medium"
        case .Q3_K_S: "Q3_K - Small"
        case .Q3_K_M: "Q3_K - Medium"
        case .Q3_K_L: "Q3_K - Large"
        case .Q4_K_S: "Q4_K - Small"
        case .Q4_K_M: "Q4_K - Medium"
        case .Q5_K_S: "Q5_K - Small"
        case .Q5_K_M: "Q5_K - Medium"
        case .IQ4_NL: "IQ4_NL - 4.5 bpw"
        case .IQ4_XS: "IQ4_XS - 4.25 bpw"
        case .MXFP4_MOE: "MXFP4 MoE"
        default: name
        }
    }
}
