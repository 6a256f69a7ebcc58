#if os(Linux)
import Foundation
import Testing

@testable import leap

/// Switching a terminal to raw mode and back.
@Suite struct RawModeTests {
    /// An unused pseudo-terminal.
    private final class Terminal {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)

        deinit { close(descriptor) }

        var isInCookedMode: Bool { PseudoTerminal.isInCookedMode(descriptor) }
    }

    @Test("A terminal can enter and leave raw mode repeatedly")
    func repeated() {
        let terminal = Terminal()
        let mode = RawMode(descriptor: terminal.descriptor)
        for _ in 0..<2 {
            #expect(mode.enter() && mode.enter())
            #expect(!terminal.isInCookedMode)
            mode.leave()
            #expect(terminal.isInCookedMode)
        }
        mode.end()
        #expect(mode.enter())
        mode.end()
        #expect(terminal.isInCookedMode)
    }

    @Test("A thread that still runs while the process ends cannot enter raw mode")
    func afterEnd() {
        let terminal = Terminal()
        let mode = RawMode(descriptor: terminal.descriptor)
        #expect(mode.enter())
        mode.endForGood()
        #expect(!mode.enter())
        #expect(terminal.isInCookedMode)
    }

    @Test("Raw mode is refused for a descriptor that is not a terminal") func noTerminal() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        #expect(!RawMode(descriptor: fileno(file)).enter())
    }
}
#endif
