import LeapConstraints

/// A random text that a constraint permits, made byte by byte.
///
/// - Returns: nil if the text could not be ended within so many bytes.
func randomText(
    _ constraint: Constraint, bytes limit: Int, using generator: inout some RandomNumberGenerator
) -> String? {
    var state = constraint.makeState()
    var text: [UInt8] = []
    while text.count < limit, !state.isComplete {
        if state.isAccepting, Bool.random(using: &generator) { break }
        // Letters would fill strings for ever, so what ends them is preferred, and ever more so.
        let isClosing = Int.random(in: 0..<limit, using: &generator) < text.count * 4 + limit / 8
        let bytes = (isClosing ? closing.shuffled(using: &generator) : []) + all.shuffled(using: &generator)
        guard let (byte, next) = firstPermitted(of: bytes, in: state) else { return nil }
        text.append(byte)
        state = next
    }
    return state.isAccepting ? String(decoding: text, as: UTF8.self) : nil
}

private let closing = Array("\"]},".utf8)
private let all = Array(0x20...0x7E as ClosedRange<UInt8>) + Array("é😀".utf8)

private func firstPermitted(of bytes: [UInt8], in state: ConstraintState) -> (UInt8, ConstraintState)? {
    for byte in bytes {
        var next = state
        if next.advance(byte) { return (byte, next) }
    }
    return nil
}
