/// The incremental encoding of media into rows, in small parts, so that other users of the model need not wait for all
/// of it.
///
/// Used by one caller at a time.
public protocol MediaEncoding: AnyObject {
    /// The share of the work that is done, from 0 to 1.
    var progress: Double { get }
    /// Whether the next part needs something that another thread has not finished yet. `false` by default.
    var isWaiting: Bool { get }

    /// Does the next part of the work, at most about a layer of a model.
    ///
    /// - Parameter isCancelled: Asked now and then; `true` ends the work.
    /// - Returns: The rows, `[rowCount, embeddingLength]`, with the last part; `nil` before, and once cancelled.
    func advance(_ isCancelled: () -> Bool) throws -> [[Float]]?
}

extension MediaEncoding {
    /// Whether another thread must finish something first.
    public var isWaiting: Bool { false }
}
