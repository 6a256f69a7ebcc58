#if canImport(Darwin)
public import Foundation

/// A replacement for the events of a background `URLSession`.
///
/// Transfers are streams, which are verified as they arrive and can be resumed at any byte, whereas a background
/// session delivers finished files only. A download therefore runs as a process activity, which the system lets finish
/// if possible, and is resumed when the app runs again. There are no events to deliver.
public final class BackgroundEvents: Sendable {
    /// The identifier of the given session configuration; `nil` for a foreground configuration.
    public let identifier: String?

    init(_ configuration: URLSessionConfiguration?) { identifier = configuration?.identifier }
}

extension ModelDownloader {
    /// Creates a downloader whose transfers may continue while the app is in the background; see ``BackgroundEvents``.
    public convenience init(config: LeapDownloaderConfig, sessionConfiguration: URLSessionConfiguration?) {
        self.init(config: config, background: BackgroundEvents(sessionConfiguration))
    }

    /// Creates such a downloader with the default configuration.
    public convenience init(sessionConfiguration: URLSessionConfiguration?) {
        self.init(config: LeapDownloaderConfig(), sessionConfiguration: sessionConfiguration)
    }

    /// Creates such a downloader with the arguments of versions 0.9; `notificationConfig` is ignored.
    public convenience init(
        sessionConfiguration: URLSessionConfiguration? = .leapDefault,
        notificationConfig: LeapModelDownloaderNotificationConfig
    ) {
        self.init(sessionConfiguration: sessionConfiguration)
    }

    /// Handles the events of `application(_:handleEventsForBackgroundURLSession:completionHandler:)`: calls the
    /// completion handler.
    ///
    /// - Parameter completionHandler: Called immediately, on the main actor.
    public func handleBackgroundEvents(completionHandler: @escaping @MainActor @Sendable () -> Void) {
        Task { await completionHandler() }
    }
}

extension URLSessionConfiguration {
    /// The default session configuration of versions 0.9: a foreground configuration.
    public static var leapDefault: URLSessionConfiguration { .default }
}
#endif
