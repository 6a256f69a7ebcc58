import LeapJSON
import Testing

@Suite struct JSONValueTests {
    @Test(
        "A document round-trips unchanged",
        arguments: [
            "null", "true", "-0.5", "1e+300", "9223372036854775807", "-9223372036854775809", "[]", "{}", #""""#,
            #"{"b":1,"a":[{"c":null}]}"#, #""é你😀\n\"\\""#,
        ])
    func roundTrip(_ text: String) throws {
        #expect(try JSONValue(parsing: text).text() == text)
    }

    @Test("Objects keep key order, and a repeated key its first position with the last value") func order() throws {
        let value = try JSONValue(parsing: #"{"z":1,"a":2,"z":3}"#)
        #expect(value == ["z": 3, "a": 2])
        #expect(value.text() == #"{"z":3,"a":2}"#)
    }

    @Test("Keys that differ by normalisation alone are rejected on request, and repeated keys are not")
    func equivalentKeys() throws {
        let text = #"{"\u00e9":1,"e\u0301":2}"#
        #expect(try JSONValue(parsing: text) == ["\u{e9}": 2])
        let error = #expect(throws: JSONError.self) { try JSONValue(parsingDistinctKeys: text.utf8) }
        #expect(error == .duplicateKey("e\u{301}", line: 1, column: 13))
        #expect(try JSONValue(parsingDistinctKeys: #"{"\u00e9":1,"\u00e9":2}"#.utf8) == ["\u{e9}": 2])
    }

    @Test(
        "Numbers keep their kind and exact value",
        arguments: [
            ("1", JSONValue.integer(1)), ("-0", .integer(0)), ("1.0", .number(1)), ("1e2", .number(100)),
            ("18446744073709551615", .largeInteger("18446744073709551615")), ("1e400", .exactNumber("1e400")),
            ("-1e-400", .exactNumber("-1e-400")), ("0e999", .number(0)), ("-0.0", .number(-0.0)),
        ])
    func numbers(_ text: String, _ expected: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == expected)
    }

    @Test("Python's infinities and NaN are numbers on request only")
    func nonFiniteNumbers() throws {
        let numbers = try JSONValue(parsingPython: "[Infinity, -Infinity, -1, NaN]".utf8).array ?? []
        #expect(numbers.prefix(3) == [.number(.infinity), .number(-.infinity), -1])
        guard case .number(let last)? = numbers.last, last.isNaN else { return #expect(Bool(false), "\(numbers)") }
        for text in ["Infinity", "-Infinity", "NaN", "[NaN]"] {
            #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        }
        for text in ["-NaN", "Inf", "+Infinity", "nan", "-Infinit", "-"] {
            #expect(throws: JSONError.self) { try JSONValue(parsingPython: text.utf8) }
        }
    }

    @Test(
        "Escapes are resolved, and a lone surrogate is replaced",
        arguments: [
            (#""A\/\b\f\n\r\t""#, "A/\u{8}\u{c}\n\r\t"), (#""\ud83d\ude00""#, "😀"), (#""\ud83d""#, "\u{FFFD}"),
            (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83dA""#, "\u{FFFD}A"), (#""\u0000""#, "\0"),
        ])
    func escapes(_ text: String, _ expected: String) throws {
        let string = try #require(try JSONValue(parsing: text).string)
        #expect(string.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test(
        "Invalid JSON is rejected with its position",
        arguments: [
            ("", "JSON 1:1: expected a value, but the text ends here. Is it complete?"),
            ("[1,]", "JSON 1:4: expected a value, found ']'."),
            ("[1 2]", "JSON 1:4: expected ',' or ']', found '2'."),
            ("{\"a\" 1}", "JSON 1:6: expected ':', found '1'."),
            ("{a: 1}", "JSON 1:2: expected a key in double quotes, found 'a'."),
            ("[1]\n x", "JSON 2:2: expected the end of the text, found 'x'."),
            ("[1.]", "JSON 1:4: expected a digit, found ']'."),
            ("01", "JSON 1:2: expected the end of the text, found '1'."),
            ("\u{1B}[31m", "JSON 1:1: expected a value, found '\\u{1B}'."),
            ("NaN", "JSON 1:1: expected a value, found 'N'."),
            ("tru", "JSON 1:1: expected a value, found 't'."),
            ("\"a", "JSON 1:3: expected '\"' at the end of a string, but the text ends here. Is it complete?"),
            ("\"a\nb\"", "JSON 1:3: a control character inside a string must be escaped."),
            (#""\x""#, "JSON 1:3: '\\x' is not an escape sequence."),
            (#""\u12g4""#, "JSON 1:6: '\\u' must be followed by four hexadecimal digits."),
        ])
    func errors(_ text: String, _ expected: String) {
        do {
            let value = try JSONValue(parsing: text)
            Issue.record("parsed as \(value)")
        } catch {
            #expect(error.description == expected)
        }
    }

    @Test("Invalid UTF-8 is rejected") func invalidUTF8() {
        #expect(throws: JSONError.invalidUTF8(byteOffset: 2)) { try JSONValue(parsing: [0x22, 0x61, 0xFF, 0x22]) }
        #expect(
            JSONError.invalidUTF8(byteOffset: 2).description
                == "JSON is not valid UTF-8: the byte at offset 2 is invalid.")
    }

    @Test("Nesting is limited") func nesting() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSONValue(parsing: nested(200)) }
        #expect(throws: JSONError.tooDeep(limit: 200, line: 1, column: 201)) { try JSONValue(parsing: nested(201)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(1_000_000)) }
        #expect(
            JSONError.tooDeep(limit: 200, line: 1, column: 201).description
                == "JSON 1:201: arrays and objects are nested deeper than 200 levels.")
    }

    @Test("Values are written in all formats") func layouts() {
        let value: JSONValue = ["b": [1, 2.5, []], "a": ["é": nil, "e": [:]]]
        #expect(value.text() == #"{"b":[1,2.5,[]],"a":{"é":null,"e":{}}}"#)
        #expect(value.text(.python) == #"{"b": [1, 2.5, []], "a": {"é": null, "e": {}}}"#)
        #expect(
            value.text(JSONFormat(escapesNonASCII: true, sortsKeys: true))
                == #"{"a":{"e":{},"\u00e9":null},"b":[1,2.5,[]]}"#)
        #expect(
            value.text(.pretty) == """
                {
                  "b": [
                    1,
                    2.5,
                    []
                  ],
                  "a": {
                    "é": null,
                    "e": {}
                  }
                }
                """)
        #expect(
            JSONValue.string("😀\u{7f}\u{1}").text(JSONFormat(escapesNonASCII: true)) == #""\ud83d\ude00\u007f\u0001""#)
        #expect(JSONValue.number(.nan).text() == "null")
    }

    @Test(
        "Numbers are read as doubles and as whole numbers",
        arguments: [
            ("3", 3, 3), ("-3.0", -3, -3), ("2.5", 2.5, nil), ("1e300", 1e300, nil),
            ("9223372036854775807", 0x1p63, Int.max), ("9223372036854775808", nil, nil),
            ("1e400", nil, nil), ("\"3\"", nil, nil), ("true", nil, nil), ("null", nil, nil),
        ] as [(String, Double?, Int?)])
    func numbersOfKinds(_ text: String, _ double: Double?, _ wholeNumber: Int?) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.double == double)
        #expect(value.wholeNumber == wholeNumber)
    }

    @Test("Numbers of Python that are not finite are no whole numbers")
    func nonFiniteKinds() throws {
        let numbers = try JSONValue(parsingPython: "[Infinity, -Infinity, NaN]".utf8).array ?? []
        #expect(numbers.compactMap(\.double).count == 3)
        #expect(numbers.compactMap(\.wholeNumber).isEmpty)
    }

    @Test("Errors quote at most 60 characters")
    func excerpts() {
        #expect(JSONValue.string(String(repeating: "é", count: 58)).excerpt().count == 60)
        let long = JSONValue.string(String(repeating: "é", count: 59))
        #expect(long.excerpt() == "\"" + String(repeating: "é", count: 59) + "…")
        #expect((["a", 1] as JSONValue).excerpt() == #"["a",1]"#)
        #expect((["a", 1] as JSONValue).excerpt(.python) == #"["a", 1]"#)
    }

    @Test("Values are accessed by key and by type") func access() {
        let value: JSONValue = ["a": ["x"], "b": "y"]
        #expect(value["a"]?.array == ["x"])
        #expect(value["b"]?.string == "y")
        #expect(value["c"] == nil)
        #expect(value.dictionary == ["a": ["x"], "b": "y"])
        #expect(value["b"]?.dictionary == nil)
    }
}
