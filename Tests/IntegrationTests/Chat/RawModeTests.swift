#if os(Linux)
import Foundation
import Testing

@testable import leap

/// Switching a terminal over, and putting it back.
@Suite struct RawModeTests {
    /// A terminal that nobody uses.
    private final class Terminal {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)

        deinit { close(descriptor) }

        var isInItsOwnMode: Bool { PseudoTerminal.isInItsOwnMode(descriptor) }
    }

    @Test("A terminal is switched over and put back, any number of times")
    func again() {
        let terminal = Terminal()
        let mode = RawMode(descriptor: terminal.descriptor)
        for _ in 0..<2 {
            #expect(mode.enter() && mode.enter())
            #expect(!terminal.isInItsOwnMode)
            mode.leave()
            #expect(terminal.isInItsOwnMode)
        }
        mode.end()
        #expect(mode.enter())
        mode.end()
        #expect(terminal.isInItsOwnMode)
    }

    @Test("A thread that goes on while the process ends does not switch the terminal over")
    func over() {
        let terminal = Terminal()
        let mode = RawMode(descriptor: terminal.descriptor)
        #expect(mode.enter())
        mode.endForGood()
        #expect(!mode.enter())
        #expect(terminal.isInItsOwnMode)
    }

    @Test("What is no terminal is not switched over") func noTerminal() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        #expect(!RawMode(descriptor: fileno(file)).enter())
    }
}
#endif
