/// What a system tells its user of downloads. Accepted and without effect: nothing is told, an app shows the progress that it
/// is given.
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
