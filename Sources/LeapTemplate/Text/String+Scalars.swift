import LeapJSON

extension String {
    /// Python's `len`: the number of Unicode scalars, without marks.
    var scalarCount: Int {
        let text = withoutMarks
        return text.utf8.withContiguousStorageIfAvailable { bytes in bytes.count { !UTF8Text.isContinuation($0) } }
            ?? text.unicodeScalars.count
    }

    /// The scalars in the range `bounds`, counted from the start of the string, with the marks before each.
    func scalars(in bounds: Range<Int>) -> String {
        guard !bounds.isEmpty else { return "" }
        guard mayHaveMarks else {
            let start = unicodeScalars.index(startIndex, offsetBy: bounds.lowerBound)
            let end = unicodeScalars.index(start, offsetBy: bounds.count)
            return String(unicodeScalars[start..<end])
        }
        var rest = self[...].unicodeScalars
        for _ in 0..<bounds.lowerBound { rest.popCharacter() }
        let start = rest.startIndex
        for _ in bounds { rest.popCharacter() }
        return String(unicodeScalars[start..<rest.startIndex])
    }

    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
