/// How the elements of a stored tensor are arranged in the written one.
struct Arrangement: Sendable, Hashable {
    var rows = RowOrder.same
    var columns = RowOrder.same
    /// The shape that is written, in PyTorch's order, where it is not the stored one.
    var shape: [Int]?
    /// Elements of what is a row to ``rows``, where it is not the last dimension.
    var rowLength: Int?
    /// Whether the matrices are stored with their rows as columns.
    var isTransposed = false
    var change = NumberChange.none

    /// Whether bytes can be written as they are stored.
    var keepsNumbers: Bool { rows == .same && columns == .same && !isTransposed && change == .none }
}
