package import Foundation
import LeapHub

/// Data that the tools keep between runs, in addition to downloaded models.
package enum ToolCache {
    /// A folder of the user's cache, which need not exist.
    package static func folder(_ name: String) throws -> URL {
        try HubConfiguration().models.deletingLastPathComponent().appending(path: name, directoryHint: .isDirectory)
    }
}
