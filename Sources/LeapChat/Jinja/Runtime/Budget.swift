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
    private var valueBytes = 0

    init(limits: TemplateLimits) {
        self.limits = limits
    }

    @inline(__always)
    func step() throws(Failure) {
        steps += 1
        if steps > limits.steps { throw .limit(.steps(limits.steps)) }
    }

    /// Pays for touching `count` elements or characters.
    func touch(_ count: Int) throws(Failure) {
        steps += count / 8
        if steps > limits.steps { throw .limit(.steps(limits.steps)) }
    }

    /// Pays for touching every byte of `text`.
    func touch(_ text: String) throws(Failure) {
        try touch(text.utf8.count)
    }

    /// Pays for making a value of `bytes` bytes.
    func allocate(bytes: Int) throws(Failure) {
        let (sum, overflow) = valueBytes.addingReportingOverflow(bytes)
        guard !overflow, sum <= limits.valueBytes else { throw .limit(.valueBytes(limits.valueBytes)) }
        valueBytes = sum
        try touch(bytes)
    }

    /// Pays for a collection of `count` values.
    func allocate(elements count: Int) throws(Failure) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
        try allocate(bytes: overflow ? .max : bytes + 32)
    }

    /// Pays for `count` copies of `text`, or for padding when `text` is a blank.
    func allocate(_ text: String, times count: Int = 1) throws(Failure) {
        let (bytes, overflow) = text.utf8.count.multipliedReportingOverflow(by: max(0, count))
        try allocate(bytes: overflow ? .max : bytes)
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
