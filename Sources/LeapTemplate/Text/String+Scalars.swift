import LeapJSON

extension String {
    /// Python's `len`: the number of Unicode scalars.
    var scalarCount: Int {
        utf8.withContiguousStorageIfAvailable { bytes in bytes.count { !UTF8Text.isContinuation($0) } }
            ?? unicodeScalars.count
    }

    /// The scalars in the range `bounds`, counted from the start of the string.
    func scalars(in bounds: Range<Int>) -> String {
        guard !bounds.isEmpty else { return "" }
        let start = unicodeScalars.index(startIndex, offsetBy: bounds.lowerBound)
        let end = unicodeScalars.index(start, offsetBy: bounds.count)
        return String(unicodeScalars[start..<end])
    }

    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
