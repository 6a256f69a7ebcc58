#if canImport(Darwin)
public import Foundation

/// A replacement for the events of a background `URLSession`.
///
/// Transfers are streams, which are verified as they arrive and can be resumed at any byte, whereas a background
/// session delivers finished files only. A download therefore runs while the app does, and for as long afterwards as the
/// system lets it finish an activity, some seconds. It stops when the process is about to be suspended, and goes on when
/// the process runs again; if the process was ended instead, the next request of the model resumes the download. There are
/// no events to deliver.
public final class BackgroundEvents: Sendable {
    /// The identifier of the given session configuration; `nil` for a foreground configuration.
    public let identifier: String?

    init(_ configuration: URLSessionConfiguration?) { identifier = configuration?.identifier }
}

extension ModelDownloader {
    /// Creates a downloader with the default configuration and a session configuration; see
    /// ``init(config:sessionConfiguration:)``.
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
