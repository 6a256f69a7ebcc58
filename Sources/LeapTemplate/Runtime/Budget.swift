/// Tracks the cost of a rendering and stops it at the limits.
///
/// Every operation whose cost grows with its operands charges for them here before doing the work.
final class Budget {
    /// The maximum nesting of values, into which printing and comparing recurse.
    static let valueNesting = 100
    /// Digits of an integer, as CPython limits the conversion to text.
    static let integerDigits = 4300

    let limits: TemplateLimits
    private var steps = 0
    /// Bytes held by variables and collections.
    private var held = 0
    /// Bytes allocated so far by the statements being run, whether or not they are retained.
    private var transient = 0
    /// Bytes of output, whether or not it is captured.
    private var written = 0

    init(limits: TemplateLimits) {
        self.limits = limits
    }

    /// Charges for one evaluation, or for an operation as costly as `count` of them.
    @inline(__always)
    func step(_ count: Int = 1) throws(Failure) {
        steps += count
        if steps > limits.steps { throw .limit(.steps(limits.steps)) }
    }

    /// Charges for visiting `count` characters or elements.
    func touch(_ count: Int) throws(Failure) {
        try spend(count / 8)
    }

    /// Charges for visiting every byte of `text`.
    func touch(_ text: String) throws(Failure) {
        try touch(text.utf8.count)
    }

    /// Charges for stepping over the characters of `text`, which takes longer where there may be marks.
    func walk(_ text: String) throws(Failure) {
        try touch(text.utf8.count * (text.mayHaveMarks ? 16 : 1))
    }

    private func spend(_ count: Int) throws(Failure) {
        steps += count
        if steps > limits.steps { throw .limit(.steps(limits.steps)) }
    }

    /// Charges for making a value of `bytes` bytes.
    func allocate(bytes: Int) throws(Failure) {
        try check(bytes)
        transient += bytes
        // Copying is an order of magnitude cheaper than visiting each byte.
        try spend(bytes / 64)
    }

    /// Checks that `bytes` more are available.
    private func check(_ bytes: Int) throws(Failure) {
        let (sum, overflow) = bytes.addingReportingOverflow(held + transient)
        guard !overflow, sum <= limits.valueBytes else { throw .limit(.valueBytes(limits.valueBytes)) }
    }

    /// Charges for `count` copies of `text`.
    func allocate(_ text: String, times count: Int = 1) throws(Failure) {
        let (bytes, overflow) = text.utf8.count.multipliedReportingOverflow(by: max(0, count))
        try allocate(bytes: overflow ? .max : bytes)
    }

    /// Checks that `count` elements are available, before they are made.
    func expect(elements count: Int) throws(Failure) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
        try check(overflow ? .max : bytes)
    }

    /// Charges for multiplying or dividing two integers, or for converting one to text.
    func work(_ left: BigInteger, _ right: BigInteger) throws(Failure) {
        try touch(left.magnitude.count * right.magnitude.count)
    }

    /// The decimal digits of an integer.
    func text(of number: BigInteger) throws(Failure) -> String {
        try work(number, number)
        return number.description
    }
}

// MARK: - Retained memory

extension Budget {
    /// The bytes that a value needs in addition to its slot in a variable. Collections account for their own memory.
    static func weight(of value: Value) -> Int {
        switch value {
        // Shorter strings need no memory of their own.
        case .string(let text), .markup(let text): text.utf8.count > 15 ? text.utf8.count + 32 : 0
        case .bigInt(let number): number.magnitude.count * 4 + 32
        default: 0
        }
    }

    /// Charges for holding `bytes` bytes until they are released.
    func hold(bytes: Int) throws(Failure) {
        try check(bytes)
        held += bytes
    }

    /// Releases the bytes that were charged for something that no longer exists.
    func release(bytes: Int) {
        held -= bytes
    }

    /// Runs one statement. Temporaries that nothing retains are released when it ends.
    @inline(__always)
    func statement<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let before = transient
        defer { transient = before }
        return try body()
    }

    /// Charges for `bytes` bytes of output.
    func write(bytes: Int) throws(Failure) {
        guard written + bytes <= limits.outputBytes else { throw .limit(.outputBytes(limits.outputBytes)) }
        written += bytes
        try spend(bytes / 64)
    }

    /// Releases the bytes that were charged for output that has become a value.
    func unwrite(bytes: Int) {
        written -= bytes
    }
}
