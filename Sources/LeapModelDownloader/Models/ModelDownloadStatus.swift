/// How far a model is on this machine.
public enum ModelDownloadStatus: Hashable, Sendable {
    /// Not here, or not whole, and not on its way.
    case notOnLocal
    /// On its way, 0 to 1.
    case downloadInProgress(progress: Double)
    /// Here.
    case downloaded

    /// The status without how far.
    public var type: ModelDownloadStatusType {
        switch self {
        case .notOnLocal: .notOnLocal
        case .downloadInProgress: .downloadInProgress
        case .downloaded: .downloaded
        }
    }
}

/// A ``ModelDownloadStatus`` without how far.
public enum ModelDownloadStatusType: Hashable, Sendable {
    /// Not here, or not whole, and not on its way.
    case notOnLocal
    /// On its way.
    case downloadInProgress
    /// Here.
    case downloaded
}

/// How far a download has come, in bytes.
public struct ProgressData: Hashable, Sendable {
    /// Bytes that are here.
    public let bytes: Int64
    /// Bytes in all; 0 while unknown.
    public let total: Int64

    /// So many of so many.
    public init(bytes: Int64, total: Int64) {
        self.bytes = bytes
        self.total = total
    }

    /// 0 to 1.
    public var progress: Float { total > 0 ? min(1, max(0, Float(Double(bytes) / Double(total)))) : 0 }
}
