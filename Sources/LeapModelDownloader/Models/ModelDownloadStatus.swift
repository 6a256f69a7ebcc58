/// The download status of a model.
public enum ModelDownloadStatus: Hashable, Sendable {
    /// Missing or incomplete, and not being downloaded.
    case notOnLocal
    /// Being downloaded; the progress is from 0 to 1.
    case downloadInProgress(progress: Double)
    /// Downloaded completely.
    case downloaded

    /// The status without the progress.
    public var type: ModelDownloadStatusType {
        switch self {
        case .notOnLocal: .notOnLocal
        case .downloadInProgress: .downloadInProgress
        case .downloaded: .downloaded
        }
    }
}

/// A ``ModelDownloadStatus`` without the progress.
public enum ModelDownloadStatusType: Hashable, Sendable {
    /// Missing or incomplete, and not being downloaded.
    case notOnLocal
    /// Being downloaded.
    case downloadInProgress
    /// Downloaded completely.
    case downloaded
}

/// The progress of a download.
public struct ProgressData: Hashable, Sendable {
    /// The number of bytes received.
    public let bytes: Int64
    /// The total number of bytes; 0 while unknown.
    public let total: Int64

    /// Creates a progress value.
    public init(bytes: Int64, total: Int64) {
        self.bytes = bytes
        self.total = total
    }

    /// The completed fraction, from 0 to 1.
    public var progress: Float { total > 0 ? min(1, max(0, Float(Double(bytes) / Double(total)))) : 0 }
}
