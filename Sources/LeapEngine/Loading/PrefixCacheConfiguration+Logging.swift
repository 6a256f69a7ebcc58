public import LeapGeneration
import Logging

extension PrefixCacheConfiguration.Disk {
    /// The default for the most segment files.
    public static let defaultMaxEntries = 4096

    /// A folder for segments; the log hears why nothing can be written.
    public init(
        path: String, maxEntries: Int = Self.defaultMaxEntries, maxBytes: Int = Self.defaultMaxBytes
    ) {
        self.init(path: path, maxEntries: maxEntries, maxBytes: maxBytes) { warning in
            Logger(label: "leap.cache").warning("\(warning)")
        }
    }
}
