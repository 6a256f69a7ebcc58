#if Server
import Dispatch
import Foundation
import LeapServer
import LeapToolSupport
import Synchronization

/// What ends a server: the first SIGTERM or SIGINT lets it finish what it has begun, a second one ends it at once. SIGHUP has one
/// that speaks TLS read its certificate again.
struct ServerSignals {
    private var sources: [any DispatchSourceSignal]

    private final class AskedOnce: Sendable {
        private let flag = Atomic<Bool>(false)
        /// Whether this is the first time.
        func isFirst() -> Bool { !flag.exchange(true, ordering: .relaxed) }
    }

    /// - Parameters:
    ///   - drain: Seconds that answers may go on.
    ///   - hasCertificate: Whether it speaks TLS.
    ///   - whenEnding: Called when it is told to end.
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

    /// Leaves signals to the system again.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
#endif
