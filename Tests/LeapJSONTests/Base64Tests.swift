import Foundation
import Testing

@testable import LeapJSON

@Suite("Base64") struct Base64Tests {
    /// Bytes whose text has all digits that alphabets write differently.
    private static let bytes = Data([0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF, 0x01])

    @Test(
        "both alphabets are read, with and without padding and white space",
        arguments: [
            "++++////AQ==", "----____AQ==", "++++////AQ", "-+-+_/_/AQ", "++++\r\n////\r\nAQ==\r\n",
            " +\t+++ ////A Q = =",
        ])
    func variants(text: String) {
        #expect(Base64.bytes(of: text.utf8) == Self.bytes)
    }

    @Test(
        "any other text is refused",
        arguments: [
            "++++////A", "++++////AQ=", "++++////AQ===", "++++////===", "+++*", "AQ==AQ==", "A", "=", "====", "Ä",
        ])
    func refusals(text: String) {
        #expect(Base64.bytes(of: text.utf8) == nil)
    }

    @Test("an empty text is no bytes")
    func empty() { #expect(Base64.bytes(of: "".utf8) == Data()) }

    @Test("every number of bytes is read back")
    func counts() {
        for count in 0..<100 {
            let bytes = Data((0..<count).map { UInt8($0 * 7 & 0xFF) })
            let text = bytes.base64EncodedString()
            #expect(Base64.bytes(of: text.utf8) == bytes)
            #expect(Base64.bytes(of: text.filter { $0 != "=" }.utf8) == bytes)
        }
    }

    @Test(
        "data: URLs are read whatever their media type, parameters and percent-encoding",
        arguments: [
            "data:image/jpg;base64,++++////AQ==", "DATA:image/PNG;BASE64,----____AQ", "data:;base64,++++////AQ==",
            "data:image/png;charset=utf-8;base64,++++////AQ==", "data:image/gif;base64,%2B%2b++%2F///AQ%3D%3D",
            "data:image/png;base64,++++\n////\nAQ==",
        ])
    func urls(url: String) {
        #expect(DataURL(url)?.bytes == Self.bytes)
    }

    @Test(
        "other URLs are told from invalid base64",
        arguments: [
            ("data:text/plain,AQ==", false), ("https://example.com/a;base64,AQ==", false), ("data:;base64", false),
            ("", false), ("data:image/png;base64,AQ==*", true), ("data:image/png;base64,AQ%3", true),
            ("data:image/png;base64,AQ%G0", true),
        ])
    func otherURLs(url: String, isBase64: Bool) {
        let found = DataURL(url)
        #expect((found != nil) == isBase64 && found?.bytes == nil)
    }
}
