package import ArgumentParser
import Foundation
import LeapHTTP

/// The system resources that every tool needs.
package enum ToolResources {
    /// Exits with an error if the system denies a resource that all commands of the tool need.
    ///
    /// Call this first, before any thread is started: it checks that threads can be started at all.
    package static func check(for tool: any ParsableCommand.Type) {
        // Swift's runtime reports this signal as a crash, after which the program continues.
        signal(SIGQUIT, SIG_DFL)
        guard SystemResources.canOpen(files: 4) else {
            Failure(CommandError("the limit on open files is too low: raise it with ulimit -n"), in: tool).exit()
        }
        SystemResources.saveAddressSpace()
        guard SystemResources.canRun(threads: ProcessInfo.processInfo.activeProcessorCount + 6) else {
            Failure(
                CommandError("the address space is too small to start threads: raise its limit with ulimit -v"),
                in: tool
            ).exit()
        }
    }
}
