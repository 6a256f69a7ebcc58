/// Counts what a rendering has cost and stops it at the limits.
///
/// Every operation whose cost grows with its operands pays for them here before it does the work.
final class Budget {
    /// Nesting of values: what printing or comparing them recurses into.
    static let valueNesting = 100
    /// Digits of an integer, as CPython limits the conversion to text.
    static let integerDigits = 4300

    let limits: TemplateLimits
    private var steps = 0
    /// Bytes of what variables and collections hold.
    private var held = 0
    /// Bytes of what the statements being run have made so far, held by then or not.
    private var transient = 0
    /// Bytes of output, captured or not.
    private var written = 0

    init(limits: TemplateLimits) {
        self.limits = limits
    }

    /// Pays for one evaluation, or for an operation as costly as `count` of them.
    @inline(__always)
    func step(_ count: Int = 1) throws(Failure) {
        steps += count
        if steps > limits.steps { throw .limit(.steps(limits.steps)) }
    }

    /// Pays for looking at `count` characters or elements.
    func touch(_ count: Int) throws(Failure) {
        try spend(count / 8)
    }

    /// Pays for looking at every byte of `text`.
    func touch(_ text: String) throws(Failure) {
        try touch(text.utf8.count)
    }

    private func spend(_ count: Int) throws(Failure) {
        steps += count
        if steps > limits.steps { throw .limit(.steps(limits.steps)) }
    }

    /// Pays for making a value of `bytes` bytes.
    func allocate(bytes: Int) throws(Failure) {
        try check(bytes)
        transient += bytes
        // Copying is an order of magnitude cheaper than looking at each byte.
        try spend(bytes / 64)
    }

    /// Makes sure that there is room for `bytes` more.
    private func check(_ bytes: Int) throws(Failure) {
        let (sum, overflow) = bytes.addingReportingOverflow(held + transient)
        guard !overflow, sum <= limits.valueBytes else { throw .limit(.valueBytes(limits.valueBytes)) }
    }

    /// Pays for `count` copies of `text`.
    func allocate(_ text: String, times count: Int = 1) throws(Failure) {
        let (bytes, overflow) = text.utf8.count.multipliedReportingOverflow(by: max(0, count))
        try allocate(bytes: overflow ? .max : bytes)
    }

    /// Makes sure that there is room for `count` elements, before they are made.
    func expect(elements count: Int) throws(Failure) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
        try check(overflow ? .max : bytes)
    }

    /// Pays for multiplying or dividing two integers, or for writing one as text.
    func work(_ left: BigInteger, _ right: BigInteger) throws(Failure) {
        try touch(left.magnitude.count * right.magnitude.count)
    }

    /// The decimal digits of an integer.
    func text(of number: BigInteger) throws(Failure) -> String {
        try work(number, number)
        return number.description
    }
}

// MARK: - What is held

extension Budget {
    /// The bytes that a value needs beyond its place in a variable. Collections answer for their own.
    static func weight(of value: Value) -> Int {
        switch value {
        // Shorter strings need no memory of their own.
        case .string(let text), .markup(let text): text.utf8.count > 15 ? text.utf8.count + 32 : 0
        case .bigInt(let number): number.magnitude.count * 4 + 32
        default: 0
        }
    }

    /// Pays for holding `bytes` bytes until they are released.
    func hold(bytes: Int) throws(Failure) {
        try check(bytes)
        held += bytes
    }

    /// Releases the bytes that were charged for something that is gone.
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

    /// Pays for `bytes` bytes of output.
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
