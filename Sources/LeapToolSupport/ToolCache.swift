package import Foundation
import LeapHub

/// What the tools keep for the next time, beside the models that were downloaded.
package enum ToolCache {
    /// A folder of the user's cache, which need not exist.
    package static func folder(_ name: String) throws -> URL {
        try HubConfiguration().models.deletingLastPathComponent().appending(path: name, directoryHint: .isDirectory)
    }
}
