public import Foundation
import Subprocess

/// The outcome of a process.
public struct CommandOutcome: Sendable {
    /// The exit code, or the number of the signal that ended it, negated: a trap is −4 or −5.
    public let status: Int32
    /// Its standard output.
    public let output: Data
    /// Its standard error.
    public let errorOutput: Data

    init(_ status: TerminationStatus, _ output: [UInt8], _ errorOutput: [UInt8]) {
        self.status =
            switch status {
            case .exited(let code): code
            case .signaled(let signal): -signal
            }
        self.output = Data(output)
        self.errorOutput = Data(errorOutput)
    }

    /// ``output`` as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// ``errorOutput`` as text.
    public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
}

/// The reason why a command has no outcome.
public enum CommandFailure: Error, Equatable, CustomStringConvertible {
    /// The command exceeded the time limit and was killed.
    case didNotEnd(String)

    /// What happened, as a sentence.
    public var description: String {
        switch self {
        case .didNotEnd(let command): "\(command) did not end, and was killed"
        }
    }
}
