package import Dispatch
import Foundation

/// Signals as events of a queue.
package enum SignalSource {
    /// A source that delivers signals once it has a handler and is resumed; the signal's default action is disabled.
    package static func make(_ number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)  // the source still receives it
        return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }

    /// Calls a handler for each signal.
    package static func start(_ number: Int32, _ handler: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        let source = make(number)
        source.setEventHandler(handler: handler)
        source.resume()
        return source
    }
}
