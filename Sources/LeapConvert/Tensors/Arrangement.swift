/// How the elements of a stored tensor are rearranged in the written one.
struct Arrangement: Sendable, Hashable {
    var rows = RowOrder.same
    var columns = RowOrder.same
    /// The written shape in PyTorch's order, if it differs from the stored one.
    var shape: [Int]?
    /// The number of elements that ``rows`` treats as a row, if it is not the last dimension.
    var rowLength: Int?
    /// Whether matrices are stored transposed.
    var isTransposed = false
    var change = NumberChange.none

    /// Whether bytes can be copied unchanged.
    var keepsNumbers: Bool { rows == .same && columns == .same && !isTransposed && change == .none }
}
