import Foundation
import LeapSDK
import _LeapTestSupport

/// A small trained model.
let modelURL = URL(fileURLWithPath: Fixture(name: "leap-tiny/leap-tiny-q8_0").path)

/// Collects what the documentation's programs print.
final class Screen: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func show(_ items: Any...) {
        lock.withLock { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    }

    var text: String { lock.withLock { lines.joined() } }
}

/// Stands in for the audio player in the documentation.
struct AudioRenderer {
    func enqueue(_ samples: [Float], sampleRate: Int) {}
}
