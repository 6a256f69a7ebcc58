public import Foundation
import LeapJSON

/// The reason why a model's function call cannot be parsed, and where.
public struct ToolCallError: Error, Sendable, Hashable {
    /// The kind of problem.
    public enum Problem: Sendable, Hashable {
        /// Something else was found in place of `expected`; `found` is `nil` at the end of the block.
        case unexpected(expected: String, found: String?)
        /// A string is not closed; it begins here.
        case unclosedString
        /// An escape sequence is invalid.
        case badEscape(String)
        /// A number is malformed.
        case badNumber(String, reason: String)
        /// An argument or key occurs twice.
        case duplicate(String)
        /// A Python expression cannot be represented in JSON.
        case notExpressible(String)
        /// Lists and dictionaries are nested deeper than this limit.
        case tooDeep(Int)
        /// The block exceeds this number of bytes.
        case tooLarge(Int)
        /// The block contains more calls than ``ToolCallFormat`` accepts.
        case tooManyCalls
        /// The function is unknown.
        case unknownFunction(String)
        /// The answer ended before the block did.
        case cutOff
    }

    /// The problem.
    public let problem: Problem
    /// The block: the text between the marks.
    public let text: String
    /// The line in the block, counted from 1.
    public let line: Int
    /// The column, counted from 1, in Unicode scalars.
    public let column: Int
    /// The line, or its part around the column, with a caret below the location.
    public let excerpt: String

    /// The location as the number of Unicode scalars before it in the block.
    public var pos: Int {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).prefix(line - 1)
            .reduce(column - 1) { $0 + $1.count + 1 }
    }

    init(_ problem: Problem, at offset: Int, in text: String) {
        self.init(problem, at: offset, in: Array(text.utf8))
    }

    init(_ problem: Problem, at offset: Int, in bytes: [UInt8]) {
        let place = TextExcerpt(at: offset, in: bytes)
        self.problem = problem
        text = String(decoding: bytes, as: UTF8.self)
        line = place.line
        column = place.column
        excerpt = place.lines
    }

    /// Creates the error for a block that the end of the answer cut off.
    public static func cutOff(_ block: String) -> ToolCallError {
        ToolCallError(.cutOff, at: block.utf8.count, in: block)
    }

    static func tooLarge(_ block: String) -> ToolCallError {
        ToolCallError(.tooLarge(ToolCallLimits.bytes), at: 0, in: block)
    }
}

extension ToolCallError: CustomStringConvertible, LocalizedError {
    /// Says where the text is invalid, what was expected there, and quotes the line.
    public var description: String {
        "function call \(line):\(column): \(reason)\n\(excerpt)"
    }

    /// Says what is wrong, without the location.
    public var reason: String {
        switch problem {
        case .unexpected(let expected, let found?): "expected \(expected), found '\(found)'"
        case .unexpected(let expected, nil): "expected \(expected), but the text ends here"
        case .unclosedString: "unterminated string"
        case .badEscape(let reason): reason
        case .badNumber(let text, let reason): "'\(text)' is not a valid number: \(reason)"
        case .duplicate(let name): "'\(name)' is given twice"
        case .notExpressible(let what): "\(what) cannot be an argument: arguments must be valid JSON values"
        case .tooDeep(let limit): "lists and dictionaries are nested deeper than \(limit) levels"
        case .tooLarge(let limit): "the block has more than \(limit) bytes"
        case .tooManyCalls: "the block has more than \(ToolCallLimits.calls) calls"
        case .unknownFunction(let name): "unknown function '\(name)'"
        case .cutOff: "the answer ends in the middle of the call"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}

/// A problem on its way to becoming a ``ToolCallError``: the text is added where it is known.
struct CallFault: Error {
    let problem: ToolCallError.Problem
    /// Of a byte in the block.
    let offset: Int

    init(_ problem: ToolCallError.Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}
