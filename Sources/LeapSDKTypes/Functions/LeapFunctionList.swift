/// The functions that a model can call, with unique names.
package struct LeapFunctionList: Sendable {
    /// The functions in the order in which they were registered.
    package private(set) var functions: [LeapFunction] = []

    /// Creates an empty list.
    package init() {}

    /// Adds a function, unless it is already in the list.
    ///
    /// - Throws: ``LeapFunctionError`` if the function is invalid; it is not added.
    package mutating func register(_ function: LeapFunction) throws(LeapFunctionError) {
        try function.validate()
        guard let known = functions.first(where: { $0.name == function.name }) else {
            return functions.append(function)
        }
        if known != function { throw .duplicateFunction(function.name) }
    }
}
