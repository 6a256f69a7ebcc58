import LeapEngine

/// The version of the SDK.
public struct LeapSDKVersion: Sendable {
    /// The one instance.
    public static let shared = LeapSDKVersion()

    /// The version, `major.minor.patch`.
    public let version = Engine.version

    private init() {}
}
