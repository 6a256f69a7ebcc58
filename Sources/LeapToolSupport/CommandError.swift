/// A failure that a command reports in its own words.
package struct CommandError: Error, CustomStringConvertible {
    /// The message: what failed, where, what was expected, what was found, what to do.
    package let description: String

    /// A failure with this message.
    package init(_ description: String) { self.description = description }
}
