import LeapToolSupport
import Testing

@testable import leap

/// How terminals show characters.
@Suite struct CharacterDisplayTests {
    @Test(
        "Characters have the right width in columns",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("Ж", 1), ("…", 1), ("日", 2), ("ア", 2), ("ｱ", 1), ("한", 2),
            ("한", 2),
            ("Ａ", 2), ("　", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("🌡", 1), ("🌡️", 2), ("❤", 1), ("❤️", 2),
            ("1️⃣", 2),
            ("⌚", 2), ("〈", 2), ("𠀀", 2), ("\u{E000}", 1), ("क्ष", 1),
        ])
    func columns(text: String, columns: Int) {
        #expect(text.count == 1)
        #expect(text.first?.columns == columns)
        #expect(text.first?.notation == nil)
    }

    @Test(
        "Invisible characters have a visible notation",
        arguments: [
            ("\u{0}", "^@"), ("\u{1B}", "^["), ("\u{7}", "^G"), ("\r\n", "^M^J"), ("\u{7F}", "^?"), ("\u{9B}", "<9B>"),
            ("\u{202E}", "<202E>"), ("\u{200B}", "<200B>"), ("\u{FEFF}", "<FEFF>"), ("\u{2028}", "<2028>"),
            ("\u{AD}", "<AD>"),
            ("\u{301}", "◌\u{301}"), ("\u{FFFF}", "<FFFF>"),
        ])
    func notation(text: String, notation: String) {
        #expect(text.first?.notation == notation)
    }

    @Test("Characters that terminals may show differently are marked as clusters")
    func clusters() {
        for text in ["e\u{301}", "👍🏽", "👨‍👩‍👧", "🇩🇪", "🇩", "❤️", "1️⃣"] { #expect(text.first?.isCluster == true, "\(text)") }
        for text in ["a", "é", "日", "👍"] { #expect(text.first?.isCluster == false, "\(text)") }
    }

    @Test(
        "Untrusted text is shown without control sequences",
        arguments: [
            ("plain\ttext\n", "plain\ttext\n"), ("\u{1B}[2J\u{1B}]0;title\u{7}", "^[[2J^[]0;title^G"),
            ("\u{9B}31m\u{7F}\u{0}", "<9B>31m^?^@"), ("a\r\nb\rc", "a^M\nb^Mc"),
            ("e\u{301} 👨‍👩‍👧 日本 \u{200F}א", "e\u{301} 👨‍👩‍👧 日本 \u{200F}א"),
        ])
    func harmless(text: String, shown: String) {
        #expect(Array(text.harmless.unicodeScalars) == Array(shown.unicodeScalars))
        // Also if it arrives in pieces.
        #expect(text.unicodeScalars.map { String($0).harmless }.joined() == text.harmless)
    }
}
