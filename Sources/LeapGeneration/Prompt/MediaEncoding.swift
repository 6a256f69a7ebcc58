/// Rows of media while they are made, a part at a time, so that nobody who shares the model waits for all of them.
///
/// Used by one caller at a time.
public protocol MediaEncoding: AnyObject {
    /// The share of the work that is done, from 0 to 1.
    var progress: Double { get }

    /// Goes on with the next part, which is no more work than about a layer of a model.
    ///
    /// - Parameter isCancelled: Asked now and then; `true` ends the work.
    /// - Returns: The rows, `[rowCount, embeddingLength]`, with the last part; `nil` before, and once cancelled.
    func advance(_ isCancelled: () -> Bool) throws -> [[Float]]?
}
