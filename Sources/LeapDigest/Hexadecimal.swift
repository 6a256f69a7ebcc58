extension Sequence<UInt8> {
    /// The bytes in hexadecimal: two lower-case digits for each.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
