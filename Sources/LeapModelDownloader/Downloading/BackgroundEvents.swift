#if canImport(Darwin)
public import Foundation

/// What a session of the background and its events come to.
///
/// Transfers are streams, which are checked while they arrive and resume byte for byte; a session of the background can only
/// hand over finished files. So a download is asked for as an activity that the system lets finish where it can, and goes on
/// from where it was when the app runs again. The system has no events to deliver.
public final class BackgroundEvents: Sendable {
    /// The identifier of the configuration that the app gave; nil for the foreground.
    public let identifier: String?

    init(_ configuration: URLSessionConfiguration?) { identifier = configuration?.identifier }
}

extension ModelDownloader {
    /// A downloader whose transfers may outlive the app's time in the foreground; see ``BackgroundEvents``.
    public convenience init(config: LeapDownloaderConfig, sessionConfiguration: URLSessionConfiguration?) {
        self.init(config: config, background: BackgroundEvents(sessionConfiguration))
    }

    /// The same with the usual configuration.
    public convenience init(sessionConfiguration: URLSessionConfiguration?) {
        self.init(config: LeapDownloaderConfig(), sessionConfiguration: sessionConfiguration)
    }

    /// The same for programs of versions 0.9.
    public convenience init(
        sessionConfiguration: URLSessionConfiguration? = .leapDefault,
        notificationConfig: LeapModelDownloaderNotificationConfig
    ) {
        self.init(sessionConfiguration: sessionConfiguration)
    }

    /// Takes what an app gets in `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    ///
    /// - Parameter completionHandler: Called at once, on the main actor.
    public func handleBackgroundEvents(completionHandler: @escaping @MainActor @Sendable () -> Void) {
        Task { await completionHandler() }
    }
}

extension URLSessionConfiguration {
    /// The configuration of downloads that versions 0.9 began with: that of the foreground.
    public static var leapDefault: URLSessionConfiguration { .default }
}
#endif
