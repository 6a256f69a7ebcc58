import ArgumentParser
import Foundation
package import LeapBlocks
import LeapKernels

/// The choice of kernels.
package struct KernelFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            CPU kernels: portable, x86-v3, x86-v3-vnni, x86-v4, neon or i8mm (default: LEAP_KERNELS, otherwise the \
            best that this machine supports).
            """,
            valueName: "level"), completion: .list(KernelLevel.allCases.map(\.rawValue)))
    private var kernels: String?

    /// Flags with their default values.
    package init() {}

    /// Checks that the kernels run on this machine.
    package func validate() throws { _ = try table() }

    /// The kernels named by the flag or, without it, by the environment.
    package func table() throws -> KernelTable { try Self.table(named: kernels) }

    /// The kernels of a level or, without its name, of the environment's.
    package static func table(named name: String?) throws -> KernelTable {
        guard let name = name ?? ProcessInfo.processInfo.environment["LEAP_KERNELS"], !name.isEmpty else {
            return Kernels.best
        }
        guard let level = KernelLevel(rawValue: name), let table = Kernels.table(for: level) else {
            let available = Kernels.available.map(\.level.rawValue).joined(separator: ", ")
            throw ValidationError("kernels '\(name)' are not available on this machine. Available: \(available).")
        }
        return table
    }
}
