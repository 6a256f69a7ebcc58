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

// Only async-signal-safe code: no allocation, no lock, no reference counting, no lazy initialisation. This target is
// optimised in every build, and `scripts/check-signal-handler` checks which functions this file's machine code calls.

/// Handles `SIGBUS`.
func handleBusError(
    _ signal: CInt, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
    let interrupted = errno
    // A positive code comes from the system; one that another process or thread sent has no address.
    if let info, info.pointee.si_code > 0, replaceMapping(with: UInt(bitPattern: info.pointee.faultAddress)) {
        errno = interrupted
    } else {
        handOver(signal, info, context)
    }
}

/// Replaces the watched mapping that contains an address by zeros; `false` if there is none.
///
/// Replaces all of it and not one page: losing one page makes the model useless, and so one signal is enough. Zero
/// pages that are only read take no memory. Two threads may do this at the same time.
private func replaceMapping(with address: UInt) -> Bool {
    guard let (node, start, count) = WatchedMapping.node(with: address) else { return false }
    // Mark it before any thread can read a zero.
    node.pointee.markAsLost()
    BusErrors.losses.add(1, ordering: .releasing)
    let zeros = mmap(
        UnsafeMutableRawPointer(bitPattern: start), Int(bitPattern: count), PROT_READ,
        MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0)
    return zeros != MAP_FAILED
}

/// Invokes the action that was installed for the signal before this handler.
private func handOver(
    _ signal: CInt, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
    let address = BusErrors.previousAction.load(ordering: .acquiring)
    guard let previous = UnsafeMutablePointer<sigaction>(bitPattern: address) else { return }
    if previous.pointee.sa_flags & SA_SIGINFO != 0 {
        previous.pointee.detailedHandler?(signal, info, context)
    } else if previous.pointee.plainHandlerAddress > ignoring {
        previous.pointee.plainHandler?(signal)
    } else {
        restore(previous, signal, wasSent: (info?.pointee.si_code ?? 0) <= 0)
    }
}

/// The value of a handler that ignores a signal, `SIG_IGN`; `SIG_DFL` is 0.
private let ignoring: UInt = 1

/// Restores the default action and lets the signal occur again: a failed read is retried and fails again, and a signal that
/// was sent is sent again.
private func restore(_ previous: UnsafeMutablePointer<sigaction>, _ signal: CInt, wasSent: Bool) {
    if wasSent, previous.pointee.plainHandlerAddress == ignoring { return }
    _ = sigaction(signal, previous, nil)
    if wasSent { raise(signal) }
}

// MARK: - System differences

/// A signal handler that receives the signal's details.
typealias DetailedHandler =
    @convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

extension sigaction {
    /// The function, if it takes details.
    fileprivate var detailedHandler: DetailedHandler? {
        #if canImport(Darwin)
        __sigaction_u.__sa_sigaction
        #elseif canImport(Musl)
        __sa_handler.sa_sigaction
        #else
        __sigaction_handler.sa_sigaction
        #endif
    }

    /// The function, if it takes the signal alone.
    fileprivate var plainHandler: (@convention(c) (CInt) -> Void)? {
        #if canImport(Darwin)
        __sigaction_u.__sa_handler
        #elseif canImport(Musl)
        __sa_handler.sa_handler
        #else
        __sigaction_handler.sa_handler
        #endif
    }

    fileprivate var plainHandlerAddress: UInt { unsafeBitCast(plainHandler, to: UInt.self) }
}

extension siginfo_t {
    /// The address whose access failed.
    fileprivate var faultAddress: UnsafeMutableRawPointer? {
        #if canImport(Darwin)
        si_addr
        #elseif canImport(Musl)
        __si_fields.__sigfault.si_addr
        #else
        _sifields._sigfault.si_addr
        #endif
    }
}
