import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The process's handler of `SIGBUS`, the signal that a read of a mapped page raises when the file no longer has it.
///
/// If the address lies in a ``WatchedMapping``, the whole mapping becomes zeros, the mapping is marked as lost, and the
/// read continues. Every other such signal is passed to the previous handler. See decision 0025.
enum BusErrors {
    /// The number of mappings lost so far. While it is 0, no mapping needs to be checked.
    static let losses = Atomic<Int>(0)
    /// The address of the signal's previous action; 0 until our handler is installed.
    static let previousAction = Atomic<UInt>(0)
    private static let installation = Mutex(false)

    /// Whether any mapping was ever lost: one load.
    static var haveOccurred: Bool { losses.load(ordering: .acquiring) != 0 }

    /// Installs the handler, once for the process.
    static func install() {
        installation.withLock { isInstalled in
            guard !isInstalled else { return }
            isInstalled = true
            // Never freed: the handler may need it at any time.
            let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 1)
            previous.initialize(to: sigaction())
            // Saved before our handler is installed, which may need it at once.
            guard sigaction(SIGBUS, nil, previous) == 0 else { return }
            previousAction.store(UInt(bitPattern: previous), ordering: .releasing)
            var action = sigaction(handler: handleBusError)
            _ = sigaction(SIGBUS, &action, nil)
        }
    }
}

extension sigaction {
    /// An action that calls a function, also on a thread whose stack is full and that has another one for signals.
    fileprivate init(handler: @escaping DetailedHandler) {
        self.init()
        #if canImport(Darwin)
        __sigaction_u.__sa_sigaction = handler
        #elseif canImport(Musl)
        __sa_handler.sa_sigaction = handler
        #else
        __sigaction_handler.sa_sigaction = handler
        #endif
        sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART
    }
}
