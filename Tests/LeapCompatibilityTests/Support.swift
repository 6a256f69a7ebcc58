import Foundation
import LeapSDK
import _LeapTestSupport

/// A tiny model whose answers are nonsense.
var modelURL: URL { URL(fileURLWithPath: Fixture(name: "lfm2-tied-f32").path) }

/// What the programs of the documentation show on their screens.
final class Screen: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func show(_ items: Any...) {
        lock.withLock { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    }

    var text: String { lock.withLock { lines.joined() } }
}

/// Plays sound, in the documentation.
struct AudioRenderer {
    func enqueue(_ samples: [Float], sampleRate: Int) {}
}
