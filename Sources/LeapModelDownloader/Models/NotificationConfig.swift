/// The texts of download notifications. Ignored: no notifications are shown; apps can display the reported progress.
public struct LeapModelDownloaderNotificationConfig: Sendable, Hashable {
    /// The title during a download.
    public var notificationTitleDownloading: String
    /// The title after a download.
    public var notificationTitleDownloaded: String

    /// Creates a configuration.
    public init(notificationTitleDownloading: String = "", notificationTitleDownloaded: String = "") {
        self.notificationTitleDownloading = notificationTitleDownloading
        self.notificationTitleDownloaded = notificationTitleDownloaded
    }
}

extension ModelDownloader {
    /// Creates a downloader with the default configuration; `notificationConfig` is ignored.
    public convenience init(notificationConfig: LeapModelDownloaderNotificationConfig) { self.init() }
}
