import Foundation

/// A mapped file that somebody shortens while the model is being read has pages that no longer exist: reading one is
/// the signal `SIGBUS`, which nothing in the program can catch as an error. The tool says what happened and leaves.
package enum LostFile {
    /// Turns the signal into a message and exit code 1. Only calls that a signal handler may make.
    package static func exitWithMessage() {
        signal(SIGBUS) { _ in
            LostFile.message.withUTF8Buffer { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
            _exit(1)
        }
    }

    private static let message: StaticString = """

        error: the model file became shorter while it was being read: something else writes to it. Load it again when \
        it is complete, or use --no-mmap, which reads it into memory first.

        """
}
