public import Foundation
import LeapJSON

/// Why a model's function call cannot be read, and where.
public struct ToolCallError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Problem: Sendable, Hashable {
        /// Something else stands where `expected` should; `found` is nil at the end of the block.
        case unexpected(expected: String, found: String?)
        /// A string that nothing closes begins here.
        case unclosedString
        /// An escape sequence that does not denote a character.
        case badEscape(String)
        /// A number that is none.
        case badNumber(String, reason: String)
        /// An argument or key that is given twice.
        case duplicate(String)
        /// Python that JSON cannot express.
        case notExpressible(String)
        /// Lists and dictionaries nest deeper than this.
        case tooDeep(Int)
        /// The block has more bytes than this.
        case tooLarge(Int)
        /// The block has more calls than ``ToolCallFormat`` reads.
        case tooManyCalls
        /// A call of a function that was not offered.
        case unknownFunction(String)
        /// The answer ended before the block did.
        case cutOff
    }

    /// What is wrong.
    public let problem: Problem
    /// The block: the text between the marks.
    public let text: String
    /// The line of the place in the block, from 1.
    public let line: Int
    /// The column of the place, from 1, in Unicode scalars.
    public let column: Int
    /// The line, or the part of it around the column, and a caret below the place.
    public let excerpt: String

    /// The place as a number of Unicode scalars of the block before it.
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

    /// A block that the end of the answer cut off.
    public static func cutOff(_ block: String) -> ToolCallError {
        ToolCallError(.cutOff, at: block.utf8.count, in: block)
    }

    static func tooLarge(_ block: String) -> ToolCallError {
        ToolCallError(.tooLarge(ToolCallLimits.bytes), at: 0, in: block)
    }
}

extension ToolCallError: CustomStringConvertible, LocalizedError {
    /// Where the text fails, what was expected there, and the line.
    public var description: String {
        "function call \(line):\(column): \(reason)\n\(excerpt)"
    }

    /// What is wrong, without the place.
    public var reason: String {
        switch problem {
        case .unexpected(let expected, let found?): "expected \(expected), found '\(found)'"
        case .unexpected(let expected, nil): "expected \(expected), but the text ends here"
        case .unclosedString: "the string that begins here has no end"
        case .badEscape(let reason): reason
        case .badNumber(let text, let reason): "'\(text)' is no number: \(reason)"
        case .duplicate(let name): "'\(name)' is given twice"
        case .notExpressible(let what): "\(what) cannot be an argument: only what JSON can express can"
        case .tooDeep(let limit): "lists and dictionaries nest deeper than \(limit) levels"
        case .tooLarge(let limit): "the block has more than \(limit) bytes"
        case .tooManyCalls: "the block has more than \(ToolCallLimits.calls) calls"
        case .unknownFunction(let name): "there is no function '\(name)'"
        case .cutOff: "the answer ends before the call does"
        }
    }

    /// The same text, for Foundation.
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
