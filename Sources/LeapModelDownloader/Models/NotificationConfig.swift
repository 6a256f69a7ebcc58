/// Notifications about downloads. Accepted but ignored: no notification is shown; apps display the reported progress.
public struct LeapModelDownloaderNotificationConfig: Sendable, Hashable {
    /// The title while files arrive.
    public var notificationTitleDownloading: String
    /// The title once they are here.
    public var notificationTitleDownloaded: String

    /// Makes a configuration.
    public init(notificationTitleDownloading: String = "", notificationTitleDownloaded: String = "") {
        self.notificationTitleDownloading = notificationTitleDownloading
        self.notificationTitleDownloaded = notificationTitleDownloaded
    }
}

extension ModelDownloader {
    /// A downloader of the usual configuration.
    public convenience init(notificationConfig: LeapModelDownloaderNotificationConfig) { self.init() }
}
