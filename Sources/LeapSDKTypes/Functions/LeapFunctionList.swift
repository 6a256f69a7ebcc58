/// Functions that a model may ask to call, each with a name of its own.
package struct LeapFunctionList: Sendable {
    /// The functions in the order in which they came.
    package private(set) var functions: [LeapFunction] = []

    /// No functions.
    package init() {}

    /// Adds a function. One that is there already is left alone.
    ///
    /// - Throws: ``LeapFunctionError`` for one that cannot be offered, which is not added.
    package mutating func register(_ function: LeapFunction) throws(LeapFunctionError) {
        try function.validate()
        guard let known = functions.first(where: { $0.name == function.name }) else {
            return functions.append(function)
        }
        if known != function { throw .duplicateFunction(function.name) }
    }
}
