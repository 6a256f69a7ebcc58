#if Server
import Dispatch
import Foundation
import LeapServer
import LeapToolSupport
import Synchronization

/// A server's signals: the first SIGTERM or SIGINT shuts it down gracefully, a second one ends it immediately. SIGHUP
/// makes a server with TLS reload its certificate.
struct ServerSignals {
    private var sources: [any DispatchSourceSignal]

    private final class AskedOnce: Sendable {
        private let flag = Atomic<Bool>(false)
        /// Whether this is the first time.
        func isFirst() -> Bool { !flag.exchange(true, ordering: .relaxed) }
    }

    /// - Parameters:
    ///   - drain: Seconds for which answers may continue.
    ///   - hasCertificate: Whether it uses TLS.
    ///   - whenEnding: Called when a signal requests shutdown.
    init(_ server: Server, drain: Int, hasCertificate: Bool, whenEnding: @escaping @Sendable () -> Void) {
        let asked = AskedOnce()
        sources = [SIGTERM, SIGINT].map { number in
            SignalSource.start(number) {
                guard asked.isFirst() else { exit(128 + number) }
                whenEnding()
                Task { await server.shutDown() }
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(drain)) { exit(0) }
            }
        }
        if hasCertificate { sources.append(SignalSource.start(SIGHUP) { try? server.readCertificates() }) }
    }

    /// Restores the system's handling of the signals.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
#endif
