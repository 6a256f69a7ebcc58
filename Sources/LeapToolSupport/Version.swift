import ArgumentParser
import LeapBlocks
import LeapBuildInfo
import LeapEngine
import LeapKernels
import LeapOps

/// The output of `--version`.
package enum Version {
    /// The version text, but only if it was requested. The parser asks for it in every run, but it takes some
    /// milliseconds to compute, and loads OpenBLAS, whose threads then delay the first token.
    package static func requested(of tool: String) -> String {
        let title = "\(tool) \(BuildInfo.current.version(Engine.version))"
        return CommandLine.arguments.contains("--version") ? text(title) : title
    }

    private static func text(_ title: String) -> String {
        """
        \(title)
        Swift \(swift)
        \(kernels)
        BLAS \(Compute.blasDescription)
        """
    }

    /// The level that commands will use, and the levels that run here; or why commands will refuse to run.
    private static var kernels: String {
        let names = Kernels.available.map(\.level.rawValue).joined(separator: ", ")
        do {
            return "kernels \(try KernelFlags.table(named: nil).level.rawValue) (available: \(names))"
        } catch {
            return "\(error)"
        }
    }

    /// The language version that this program was built with.
    private static var swift: String {
        #if swift(>=6.4)
        "6.4 or newer"
        #elseif swift(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }
}
