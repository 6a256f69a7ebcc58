/// A failure that a command reports in its own words.
package struct CommandError: Error, CustomStringConvertible {
    /// The words: what failed, where, what was expected, what was found, what to do.
    package let description: String

    /// A failure in these words.
    package init(_ description: String) { self.description = description }
}
