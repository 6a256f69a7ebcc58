package import Dispatch
import Foundation

/// Signals as events of a queue.
package enum SignalSource {
    /// Tells of signals once it has a handler and is resumed; what the signal does by itself does not happen any more.
    package static func make(_ number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)  // the source takes it
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
