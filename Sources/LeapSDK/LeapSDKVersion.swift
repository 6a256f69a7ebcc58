import LeapEngine

/// The version of the SDK.
public struct LeapSDKVersion: Sendable {
    /// The shared instance.
    public static let shared = LeapSDKVersion()

    /// The version, in the form `major.minor.patch`.
    public let version = Engine.version

    private init() {}
}
