import Foundation
import LeapAudio
import LeapEngine
import LeapToolSupport

/// The system's program for playing sound.
struct SoundPlayer: Sendable {
    /// The program's location.
    let executable: URL
    /// How it receives samples.
    let way: Way

    enum Way: Sendable {
        /// By its standard input while they are generated, as raw 16-bit samples.
        case stream
        /// As a file, once they are complete.
        case file
    }

    private static let programs: [(name: String, way: Way)] = [("aplay", .stream), ("afplay", .file)]

    /// Finds a program in the folders of `PATH`.
    ///
    /// - Throws: ``CommandError`` if there is none.
    static func find() throws -> SoundPlayer {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for (name, way) in programs {
            for folder in folders {
                let path = "\(folder)/\(name)"
                guard FileManager.default.isExecutableFile(atPath: path) else { continue }
                return SoundPlayer(executable: URL(filePath: path), way: way)
            }
        }
        throw CommandError(
            "no program to play sound was found: install aplay (Debian package alsa-utils), or omit --play"
        )
    }

    /// Starts playback, including samples that arrive later.
    ///
    /// - Throws: ``CommandError`` if the program cannot be started.
    func begin() throws -> any Playback {
        switch way {
        case .stream: try StreamedPlayback(executable)
        case .file: FilePlayback(executable)
        }
    }
}

/// Sound that is being played.
protocol Playback: Sendable {
    /// Queues samples to be played after the earlier ones. Never blocks.
    func add(_ samples: [Float])
    /// Marks the end of the samples.
    func end()
    /// Stops playback.
    func stop()
    /// Waits until everything was played, or playback was stopped.
    func wait()
}

/// Passes samples to a program while it plays them: its input buffer is limited, so a thread waits for it.
private final class StreamedPlayback: Playback, @unchecked Sendable {
    // `@unchecked`: `waiting` and `isEnded` are accessed only under the condition's lock.
    private let process = Process()
    private let input = Pipe()
    private let condition = NSCondition()
    private var waiting: [Data] = []
    private var isEnded = false

    init(_ executable: URL) throws {
        process.executableURL = executable
        process.arguments = ["-q", "-t", "raw", "-f", "S16_LE", "-r", "\(SpeechOutput.sampleRate)", "-c", "1"]
        process.standardInput = input
        do { try process.run() } catch {
            throw CommandError("\(executable.path) cannot be started: \(error.localizedDescription)")
        }
        Thread.detachNewThread { [self] in feed() }
    }

    func add(_ samples: [Float]) {
        let data = Recording.int16(samples)
        change { waiting.append(data) }
    }

    func end() { change { isEnded = true } }

    func stop() {
        change { (waiting, isEnded) = ([], true) }
        if process.isRunning { process.terminate() }
    }

    func wait() { process.waitUntilExit() }

    private func change(_ body: () -> Void) {
        condition.lock()
        body()
        condition.signal()
        condition.unlock()
    }

    private func feed() {
        // If the program has exited, the write fails with an error instead of killing this process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while let data = next() {
            do { try input.fileHandleForWriting.write(contentsOf: data) } catch { break }
        }
        try? input.fileHandleForWriting.close()
    }

    /// The next data to write; `nil` at the end.
    private func next() -> Data? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty, !isEnded { condition.wait() }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

/// Lets a program play a complete file.
private final class FilePlayback: Playback, @unchecked Sendable {
    // `@unchecked`: everything is accessed under the lock.
    private let lock = NSLock()
    private let process = Process()
    private let file = FileManager.default.temporaryDirectory.appending(path: "leap-\(UUID().uuidString).wav")
    private var samples: [Float] = []
    private var isEnded = false

    init(_ executable: URL) {
        process.executableURL = executable
        process.arguments = [file.path]
    }

    func add(_ samples: [Float]) { lock.withLock { self.samples += samples } }

    func end() {
        lock.withLock {
            guard !isEnded, !samples.isEmpty else { return }
            isEnded = true
            do {
                try Recording(samples: samples, sampleRate: SpeechOutput.sampleRate).wav(.int16).write(to: file)
                try process.run()
            } catch {
                Console.error("note: the answer cannot be played: \(error.localizedDescription)")
            }
        }
    }

    func stop() {
        lock.withLock {
            isEnded = true
            if process.isRunning { process.terminate() }
        }
        try? FileManager.default.removeItem(at: file)
    }

    func wait() {
        if lock.withLock({ process.isRunning }) { process.waitUntilExit() }
        try? FileManager.default.removeItem(at: file)
    }
}
