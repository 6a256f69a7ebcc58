import LeapJSON
import OrderedCollections
import Testing

@Suite struct PartialJSONTests {
    private static let documents = [
        #"{"name":"Zürich","tags":["a","b\n\"\\/\u00e9"],"size":-12.5e3,"open":true,"none":null,"deep":{"x":[[],{}]}}"#,
        "  [ 1 , 20, \"\" , [ [ \"x\" ] ] , { \"a\" : { \"b\" : false } } ]  ",
        #""😀 \ud83d\ude00 \ud83d and \ude00 alone""#,
        "\"\"", "[]", "{}", "true", #"{"a":1,"b":{"c":"日本語"}}"#,
    ]

    @Test(arguments: documents)
    func `a complete document gives the same value as the full parser`(document: String) throws {
        var parser = PartialJSONParser()
        parser.append(document)
        let json = try #require(parser.json)
        #expect(json.isComplete)
        #expect(json.value == (try JSONValue(parsing: document)))
    }

    @Test(arguments: documents)
    func `every split gives the same value, and partial values only grow`(document: String) throws {
        let bytes = Array(document.utf8)
        var previous: PartialJSON?
        for split in 0...bytes.count {
            var parser = PartialJSONParser()
            parser.append(utf8: bytes[..<split])
            let json = parser.json
            if let previous { #expect(previous.isBeginning(of: try #require(json)), "\(split)") }
            previous = json
            parser.append(utf8: bytes[split...])
            #expect(parser.json?.isComplete == true)
            #expect(parser.json?.value == (try JSONValue(parsing: document)))
        }
    }

    @Test func `numbers and literals appear only when nothing can change them`() throws {
        var parser = PartialJSONParser()
        let steps: [(String, String?)] = [
            ("[", "[]"), ("1", "[]"), ("2", "[]"), (",", "[12]"), ("tru", "[12]"), ("e", "[12,true]"),
            (",\"", #"[12,true,""]"#),
            ("a\\", #"[12,true,"a"]"#), ("u00e", #"[12,true,"a"]"#), ("9", #"[12,true,"aé"]"#),
            ("\"", #"[12,true,"aé"]"#),
            ("]", #"[12,true,"aé"]"#),
        ]
        for (piece, expected) in steps {
            #expect(parser.json?.isComplete != true)
            parser.append(piece)
            #expect(parser.json?.value.text() == expected)
        }
        #expect(parser.json?.isComplete == true)
    }

    @Test func `only the last value on every level can be incomplete`() throws {
        var parser = PartialJSONParser()
        parser.append(#"{"a":"x","b":["y","z"#)
        let json = try #require(parser.json)
        #expect(!json.isComplete)
        #expect(json["a"]?.isComplete == true)
        #expect(json["b"]?.isComplete == false)
        #expect(json["b"]?.elements.map(\.isComplete) == [true, false])
        #expect(json["c"] == nil && json["a"]?.members.isEmpty == true)
    }

    @Test(arguments: [
        "x", "{a", #"{"a" 1"#, "[1 2", "[1}", "{]", "[01,", "nul!", "[\"\u{1}", #""\x""#, #""\u00g0""#,
        "{,", "[,",
    ])
    func `parsing stops at invalid JSON`(text: String) {
        var parser = PartialJSONParser()
        parser.append(text)
        let before = parser.json
        parser.append(#" {"a":[1,"#)
        #expect(parser.json == before)
        #expect(parser.json?.isComplete != true)
    }

    @Test func `an invalid string keeps its valid beginning`() {
        var parser = PartialJSONParser()
        parser.append("[\"abc\u{1}def\", 1")
        #expect(parser.json?.value == ["abc"])
        #expect(parser.json?.isComplete == false)
    }

    @Test func `deep nesting stops the parser without crashing`() {
        var parser = PartialJSONParser()
        parser.append(String(repeating: "[", count: 100_000))
        #expect(parser.json?.isComplete == false)
    }

    @Test func `the last value of a repeated key counts`() {
        var parser = PartialJSONParser()
        parser.append(#"{"a":"old","b":1,"a":"ne"#)
        #expect(parser.json?["a"]?.value == "ne")
        #expect(parser.json?["a"]?.isComplete == false)
    }
}

extension PartialJSON {
    /// Whether this value can have grown into another one.
    func isBeginning(of other: PartialJSON) -> Bool {
        guard !isComplete else { return value == other.value && other.isComplete }
        switch (value, other.value) {
        case (.string(let text), .string(let longer)):
            return longer.unicodeScalars.starts(with: text.unicodeScalars)
        case (.array, .array):
            return elements.count <= other.elements.count
                && zip(elements, other.elements).allSatisfy { $0.isBeginning(of: $1) }
        case (.object, .object):
            return members.count <= other.members.count
                && zip(members, other.members).allSatisfy {
                    $0.key == $1.key && $0.value.isBeginning(of: $1.value)
                }
        default: return false
        }
    }
}
