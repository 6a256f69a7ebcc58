#if os(Linux)
import Foundation
import Testing

/// A process on a pseudo-terminal that a test types into.
final class PseudoTerminal {
    private let master: Int32
    private let process: pid_t
    private var isReaped = false
    private var bytes: [UInt8] = []

    /// What the process has written so far, without carriage returns, some of which the terminal adds.
    var output: String { String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self) }

    /// Seconds to wait: nothing here takes one, but a busy machine may need many.
    private static let patience = 60.0

    /// The requests behind the C library's `unlockpt` and `ptsname`, and a flag of `posix_spawn`, which Swift does not
    /// import. Source: Linux, asm-generic/ioctls.h (`TIOCSPTLCK`, `TIOCGPTN`); glibc, spawn.h (`POSIX_SPAWN_SETSID`).
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let newSession: Int16 = 0x80

    /// Starts a tool on a terminal of its own.
    init(_ tool: Tool, _ arguments: [String], terminal kind: String = "xterm-256color", columns: Int = 80) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(master, Self.setLock, &isLocked) == 0 && ioctl(master, Self.getNumber, &number) == 0)
        try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
        let name = "/dev/pts/\(number)"
        process = try Self.spawn(try tool.executable().path, arguments, on: name, environment: ["TERM": kind])
    }

    deinit {
        if !isReaped {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(master)
    }

    /// Starts a process in a new session; the first terminal that it opens becomes its controlling terminal.
    private static func spawn(
        _ path: String, _ arguments: [String], on terminal: String, environment: [String: String]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawnattr_setflags(&attributes, Self.newSession)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = Tool.environment(environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process = pid_t()
        try #require(posix_spawn(&process, path, &actions, &attributes, &words, &variables) == 0)
        return process
    }

    /// Types a text.
    func type(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, min($0.count, 1024)) }
            guard count > 0 else {
                Issue.record("the terminal accepts no input")
                return
            }
            rest = rest.dropFirst(count)
            readOutput(within: 0)  // a terminal whose output is not read stops accepting input
        }
    }

    /// Waits until the process has written a text a number of times in total.
    func wait(for text: String, times: Int = 1) throws {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while output.components(separatedBy: text).count <= times {
            try #require(Date() < deadline, "'\(text)' did not appear: \(output.debugDescription)")
            try #require(readOutput(within: 100), "the process ended: \(output.debugDescription)")
        }
    }

    /// Reads the available output; `false` at the end.
    @discardableResult
    private func readOutput(within milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, milliseconds) > 0 else { return true }
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &piece, piece.count)
        bytes += piece.prefix(max(0, count))
        return count > 0
    }

    /// Sends a signal to the process.
    func signal(_ number: Int32) { kill(process, number) }

    /// Sends a signal to the process until it ends, since one that arrives too early is lost.
    func end(by number: Int32) throws -> Int32 {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        repeat {
            try #require(Date() < deadline, "the process did not end")
            kill(process, number)
        } while readOutput(within: 500)
        return try status()
    }

    /// Whether the terminal is in cooked mode: line-buffered, with echo and signals, as shells expect it.
    var isInCookedMode: Bool { Self.isInCookedMode(master) }

    static func isInCookedMode(_ descriptor: Int32) -> Bool {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return false }
        let flags = tcflag_t(ICANON | ECHO | ISIG)
        return settings.c_lflag & flags == flags
    }

    /// Waits for the process's end; its exit code, or the number of the signal that ended it, negated.
    func status() throws -> Int32 {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while readOutput(within: 100) { try #require(Date() < deadline, "the process did not end") }
        var status: Int32 = 0
        try #require(waitpid(process, &status, 0) == process)
        isReaped = true
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
#endif
