#if canImport(Darwin)
public import Foundation

/// Replaces the events of a background `URLSession`.
///
/// Transfers here are streams, which are verified while they arrive and can resume at any byte, but a background
/// session only delivers finished files. So a download runs as a process activity that the system lets finish if it
/// can, and is resumed when the app runs again. There are no events to deliver.
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
