#if Server
import Foundation
import LeapServer
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import LeapToolSupport
@testable import leap

/// Names of models that one server offers.
@Suite struct OfferNamesTests {
    private static func offers(_ paths: [String]) -> [ServerConfiguration.Offer] {
        paths.map { path in
            let name = path.split(separator: "/").last.map { String($0).replacing(".gguf", with: "") } ?? ""
            var offer = ServerConfiguration.Offer(id: name, path: path)
            offer.unlistedAliases = [path]
            return offer
        }
    }

    private static func names(_ paths: [String]) -> [String] { OfferNames.distinct(offers(paths)).map(\.id) }

    @Test("files of the same name are named after as many of their folders as distinguish them")
    func folders() {
        #expect(Self.names(["/a/model.gguf", "/b/other.gguf"]) == ["model", "other"])
        #expect(Self.names(["/r/1/model.gguf", "/r/2/model.gguf", "/x/y.gguf"]) == ["1/model", "2/model", "y"])
        #expect(Self.names(["/r/1/x/m.gguf", "/r/2/x/m.gguf", "/m.gguf"]) == ["1/x/m", "2/x/m", "m"])
    }

    @Test("a file that is given twice is offered once, under both spellings")
    func twice() {
        let offers = OfferNames.distinct(Self.offers(["/a/model.gguf", "/b.gguf", "/a/../a/model.gguf"]))
        #expect(offers.map(\.id) == ["model", "b"])
        #expect(offers[0].unlistedAliases == ["/a/model.gguf", "/a/../a/model.gguf"])
    }

    @Test("models of repositories are named after those")
    func repositories() {
        let offers = ["one/model-GGUF:Q4_0", "two/model-GGUF:Q4_0"].map {
            ServerConfiguration.Offer(id: "model-Q4_0", path: "/cache/\($0)/model-Q4_0.gguf", aliases: [$0])
        }
        #expect(OfferNames.distinct(offers).map(\.id) == ["one/model-GGUF:Q4_0", "two/model-GGUF:Q4_0"])
    }

    @Test("a name that two models would have is refused with both")
    func refused() {
        var offers = Self.offers(["/a/first.gguf", "/a/second.gguf"])
        #expect(throws: Never.self) { try OfferNames.requireDistinct(offers) }
        offers[0].aliases = ["second"]
        let error = #expect(throws: CommandError.self) { try OfferNames.requireDistinct(offers) }
        #expect(error.map { "\($0)" }?.contains("'second': '/a/first.gguf' and '/a/second.gguf'") == true)
    }

    @Test("two files of the same name answer with a model each")
    func answers() async throws {
        let folder = try TemporaryFolder()
        let (chat, plain) = (Fixture(name: "lfm2-chat-q8_0").path, Fixture(name: "llama-tied-f32").path)
        let outcome = try await Tool.leap.run(
            bash: """
                cd '\(folder.url.path)'
                mkdir 1 2 && cp '\(chat)' 1/model.gguf && cp '\(plain)' 2/model.gguf
                coproc "$LEAP" serve 1/model.gguf 2/model.gguf --port 0
                read -r line <&${COPROC[0]}
                for model in 1/model 2/model 2/model.gguf; do
                    body='{"model":"'$model'","prompt":"Once","n_predict":8,"temperature":0}'
                    exec 3<>"/dev/tcp/127.0.0.1/${line##*:}"
                    printf 'POST /completion HTTP/1.0\\r\\nContent-Length: %d\\r\\n\\r\\n%s' "${#body}" "$body" >&3
                    grep -o '"content":"[^"]*"' <&3
                done
                kill $COPROC_PID
                wait
                """)
        let answers = outcome.text.split(separator: "\n")
        try #require(answers.count == 3, "\(outcome.text) \(outcome.errorText)")
        #expect(answers[0] != answers[1] && answers[1] == answers[2])
    }
}
#endif
