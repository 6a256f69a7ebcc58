import ArgumentParser
import LeapHub
import LeapSDK

/// Flags of everything that may download.
struct HubFlags: ParsableArguments {
    @Flag(help: "Use only what is on this machine.")
    var offline = false

    /// The hub of the environment.
    func makeHub() throws -> Hub {
        do {
            var configuration = try HubConfiguration()
            if offline { configuration.isOffline = true }
            configuration.userAgent = "leap/\(LeapSDKVersion.shared.version)"
            return Hub(configuration: configuration)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Brings a model here, with its progress on standard error. Ctrl-C ends that, and what has arrived stays.
    func pull(_ reference: ModelReference, isForced: Bool = false) async throws -> StoredModel {
        let hub = try makeHub()
        let line = TransferLine("\(reference)")
        do {
            defer { line.finish() }
            return try await Interrupts.cancelling {
                try await hub.download(reference, isForced: isForced) { line.update($0) }
            }
        } catch is CancellationError {
            Console.error("stopped: 'leap pull \(reference)' goes on from here")
            throw ExitCode(Interrupts.exitCode)
        }
    }
}
