import LeapJSON
import Testing

@Suite struct NearestNameTests {
    @Test("Names are ordered by edit distance, ignoring case")
    func order() {
        let names = ["LFM2-1.2B", "LFM2-2.6B", "lfm2-1.2b", "Other", "LFM2-1.2B"]
        #expect(names.nearest(to: "lfm2-1.2B").prefix(2).sorted() == ["LFM2-1.2B", "lfm2-1.2b"])
        #expect(names.nearest(to: "LFM2-2.6").first == "LFM2-2.6B")
        #expect(names.nearest(to: "").count == 4)
    }

    @Test(
        "The closest name must not differ in too many characters",
        arguments: [
            ("tojsn", "tojson"), ("tojosn", "tojson"), ("tojson", "tojson"), ("upprr", "upper"), ("x", nil),
            ("", nil), ("jsonto", nil),
        ])
    func closest(name: String, expected: String?) {
        #expect(["tojson", "upper", "lower"].closest(to: name) == expected)
    }

    @Test("Long names are compared by their prefixes")
    func longNames() {
        let long = String(repeating: "x", count: 1 << 20)
        #expect([long + "b", "y"].nearest(to: long + "a") == [long + "b", "y"])
    }
}
