import Dispatch
package import LeapHub

/// Receives the progress of a download, on the main actor: the completed fraction, from 0 to 1, and the speed in bytes
/// per second.
public typealias DownloadProgressHandler = @MainActor @Sendable (_ fraction: Double, _ bytesPerSecond: Int64) -> Void

extension TransferProgress {
    /// Reports progress to a handler, in the order of the calls: the main queue is first in, first out; tasks are not.
    package func tell(_ handler: @escaping DownloadProgressHandler) {
        DispatchQueue.main.async { MainActor.assumeIsolated { handler(fraction, bytesPerSecond) } }
    }

    /// Waits until the handler has received everything reported so far. Without a handler, it returns immediately and
    /// does not use the main actor, which may itself be blocked on the download.
    package static func drain(for handler: DownloadProgressHandler?) async {
        if handler != nil { await MainActor.run {} }
    }
}
