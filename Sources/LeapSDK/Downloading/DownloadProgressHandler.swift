import Dispatch
package import LeapHub

/// Receives how far a download has come, on the main actor: a fraction, 0 to 1, and bytes per second.
public typealias DownloadProgressHandler = @MainActor @Sendable (_ fraction: Double, _ bytesPerSecond: Int64) -> Void

extension TransferProgress {
    /// Tells a handler, in the order of the calls. The queue, because tasks would not keep an order.
    package func tell(_ handler: @escaping DownloadProgressHandler) {
        DispatchQueue.main.async { MainActor.assumeIsolated { handler(fraction, bytesPerSecond) } }
    }

    /// Waits until a handler, if there is one, has received all that it was told by now. Nobody else waits for the main actor,
    /// which may be waiting for the download.
    package static func drain(for handler: DownloadProgressHandler?) async {
        if handler != nil { await MainActor.run {} }
    }
}
