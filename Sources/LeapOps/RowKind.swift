/// The kind of the rows of a pass. It alone decides which arithmetic is used, never the number of rows, so that the
/// results of a row are the same to the last bit whatever other rows are in the batch.
public enum RowKind: Sendable {
    /// Prefill: tokens that are known beforehand. Many rows, compute-bound; weights are unpacked once for all of them.
    case prompt
    /// Decoding: tokens that are sampled one after another, and drafts. Few rows per sequence, memory-bound; weights
    /// are multiplied in their stored format, by dot products with each row.
    case answer
}
