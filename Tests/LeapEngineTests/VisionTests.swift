import Dispatch
import Foundation
import LeapGGUF
import LeapImages
import LeapModels
import LeapOps
import LeapTokenizer
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapEngine
@testable import LeapGeneration

/// A model trained to name the colours of images, from the bytes of a file to the answer.
@Suite(.enabled(if: ImageDecoder.obstacle(to: .png) == nil))
struct VisionTests {
    static let folder = Fixture.folder.appending(path: "vision")

    /// A conversation with the reference implementation's answer and prompt tokens.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let pictures: [String]
        let question: String
        let answer: String
        /// The prompt, with -1 at the positions of media rows.
        let tokens: [Token]

        var testDescription: String { "\(pictures): \(question)" }
    }

    private static let file = Result { try ProjectorAnswers<Case>(in: folder) }

    /// The cases whose files can be decoded on this machine.
    static let cases = ((try? file.get().cases) ?? []).filter { example in
        ImageDecoder.obstacle(to: .jpeg) == nil || !example.pictures.contains { $0.hasSuffix(".jpg") }
    }

    private func options() throws -> ModelOptions { try Self.file.get().options(in: Self.folder) }

    private func open(_ options: ModelOptions) throws -> Engine { try Engine(options, compute: Compute()) }

    private func picture(_ name: String) throws -> Picture {
        Picture(try Data(contentsOf: Self.folder.appending(path: "pictures/\(name)")))
    }

    private func question(_ text: String, _ pictures: [String]) throws -> Message {
        Message(.user, try pictures.map { .picture(try picture($0)) } + [.text(text)])
    }

    private func answer(_ messages: [Message], _ engine: Engine) async throws -> String {
        let text = Mutex("")
        let request = try engine.model().request(greedy(messages))
        _ = try await engine.answer(request, cancellation: CancellationFlag()) { event in
            if case .text(let more) = event { text.withLock { $0 += more } }
        }
        return text.withLock(\.self)
    }

    @Test("The reference file has cases")
    func hasCases() throws { #expect(try Self.file.get().cases.count > 3) }

    @Test("Prompts and answers match the reference", arguments: cases)
    func answers(example: Case) async throws {
        let engine = try open(options())
        let messages = [try question(example.question, example.pictures)]
        #expect(try engine.model().request(greedy(messages)).prompt.tokens == example.tokens)
        #expect(try await answer(messages, engine) == example.answer)
        await engine.unload()
    }

    @Test("The prompt of a second turn starts with the first, including its image")
    func secondTurn() async throws {
        let example = try #require(Self.cases.first)
        let engine = try open(options())
        let first = try question(example.question, example.pictures)
        let text = try await answer([first], engine)
        let messages = [first, Message(.assistant, text), Message(.user, example.question)]
        let prompt = try engine.model().request(greedy(messages)).prompt
        let beginning = try engine.model().request(greedy([first])).prompt
        #expect(prompt.prefix(beginning.count) == beginning)
        #expect(try await !answer(messages, engine).isEmpty)
        await engine.unload()
    }

    @Test("Image tags in user text are not placeholders, whether trusted or not", arguments: [false, true])
    func userText(trusts: Bool) async throws {
        var options = try options()
        options.trustsControlTokens = trusts
        let engine = try open(options)
        let example = try #require(Self.cases.first { $0.pictures.count == 1 })
        let message = try question("<image> \(example.question) <image>", example.pictures)
        let prompt = try engine.model().request(greedy([message])).prompt
        let rows = example.tokens.count { $0 == Prompt.noToken }
        #expect(prompt.tokens.count { $0 == Prompt.noToken } == rows)
        await engine.unload()
    }

    @Test("A template that ignores content parts gets text with image tokens")
    func templateOfTexts() async throws {
        var options = try options()
        options.chatTemplate = """
            {%- for m in messages -%}{%- if m.content is string -%}{{ m.role + ': ' + m.content + '\\n' }}{%- endif -%}{%- endfor -%}
            """
        let engine = try open(options)
        let example = try #require(Self.cases.first)
        let prompt = try engine.model().request(greedy([question("Hello", example.pictures)])).prompt
        #expect(prompt.tokens.contains(Prompt.noToken))
        await engine.unload()
    }

    @Test("A template without a place for images is refused")
    func templateWithoutPlaces() async throws {
        var options = try options()
        options.chatTemplate = "{% for m in messages %}{{ m.role }}{% endfor %}"
        let engine = try open(options)
        let example = try #require(Self.cases.first { $0.pictures.count == 1 })
        #expect {
            try engine.model().request(greedy([question("Hello", example.pictures)]))
        } throws: {
            if case EngineError.placesOfPictures(expected: 1, found: 0) = $0 { true } else { false }
        }
        await engine.unload()
    }

    /// A picture's file with another size in its header, 16,384 pixels per side being the limit.
    private func oversizedPicture() throws -> Picture {
        var bytes = try Data(contentsOf: Self.folder.appending(path: "pictures/green.png"))
        // The width, after the signature and the beginning of the first chunk.
        bytes.replaceSubrange(16..<20, with: [0, 0, 0x40, 1])
        return Picture(bytes)
    }

    @Test(
        "An undecodable image, one beyond the size limits, and too many for the context are refused before any is encoded"
    )
    func refusals() async throws {
        var options = try options()
        options.contextSize = 64
        let engine = try open(options)
        let model = try engine.model()
        #expect {
            try model.request(greedy([Message(.user, [.picture(Picture(Data("no picture".utf8)))])]))
        } throws: {
            "\($0)".hasPrefix("image 1 cannot be read: ")
        }
        let example = try #require(Self.cases.first)
        let messages = [try question("Hello", example.pictures)]
        let oversized = Message(.user, messages[0].parts + [.picture(try oversizedPicture())])
        #expect {
            try model.request(greedy([oversized]))
        } throws: {
            "\($0)".hasPrefix("image \(example.pictures.count + 1) cannot be read: ")
                && "\($0)".contains("is too large: 16385×")
        }
        #expect {
            try model.fittingRequest(greedy(messages))
        } throws: {
            if case GenerationError.promptTooLong(_, contextLength: 64) = $0 { true } else { false }
        }
        let media = try #require(try model.request(greedy(messages)).prompt.media.first).media
        #expect(model.vision?.knownRows(media.digest) == nil)
        // Once encoded, the rows are known.
        #expect(try media.rows() == model.vision?.knownRows(media.digest))
        await engine.unload()
    }

    @Test("An image whose pixels are truncated ends its answer with an error that says which one it is")
    func truncatedPixels() async throws {
        let engine = try open(options())
        let file = try picture("green.png").bytes
        let parts: [Message.Part] = [
            .picture(Picture(file)), .picture(Picture(file.prefix(file.count / 2))), .text("Hello"),
        ]
        await #expect {
            try await answer([Message(.user, parts)], engine)
        } throws: {
            "\($0)".contains("image 2 cannot be read: the PNG image is ")
        }
        await engine.unload()
    }

    @Test("Images are decoded on a queue, in which tiles are waited for")
    func decodingOnQueue() throws {
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        let (picture, tiling) = (try picture("green.png"), ImageTiling())
        let tiles = PictureTiles(picture, number: 1, tiling, on: queue)
        var decoding: PictureDecoding?
        #expect(try tiles.tile(0, &decoding) == nil)
        let begun = try #require(decoding)
        #expect(try tiles.tile(0, &decoding) == nil && decoding === begun && !begun.isDone)
        queue.resume()
        queue.sync {}
        #expect(begun.isDone)
        #expect(try tiles.tile(0, &decoding) == tiling.pictures(of: ImageDecoder.decode(picture.bytes)).first)
        #expect(decoding == nil)
    }

    @Test("An image that nobody waits for any more is neither kept nor decoded")
    func abandonedDecoding() throws {
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        defer { queue.resume() }
        var decoding: PictureDecoding? = PictureDecoding(try picture("green.png"), ImageTiling(), on: queue)
        weak var kept: PictureDecoding?
        kept = decoding
        #expect(decoding?.isDone == false)
        decoding = nil
        #expect(kept == nil)
    }

    @Test("A model without a projector refuses images, and a projector of another model is refused")
    func otherProjectors() async throws {
        var options = try options()
        options.projectorPath = Self.folder.appending(path: "mmproj-f32.gguf").path
        #expect {
            _ = try open(options)
        } throws: {
            if case EngineError.projectorOfAnotherModel = $0 { true } else { false }
        }
        options.projectorPath = nil
        let engine = try open(options)
        let example = try #require(Self.cases.first)
        #expect {
            try engine.model().request(greedy([question("Hello", example.pictures)]))
        } throws: {
            if case EngineError.seesNoPictures = $0 { true } else { false }
        }
        await engine.unload()
    }

    @Test("Limits of the tokens per image are obeyed", arguments: [(16, 20), (100, 120), (300, 400)])
    func tokenLimits(minimum: Int, maximum: Int) async throws {
        var options = try options()
        (options.imageMinTokens, options.imageMaxTokens) = (minimum, maximum)
        let engine = try open(options)
        let example = try #require(Self.cases.first { $0.pictures.count == 1 })
        let prompt = try engine.model().request(greedy([question("Hello", example.pictures)])).prompt
        #expect((minimum...maximum + maximum / 4).contains(prompt.tokens.count { $0 == Prompt.noToken }))
        await engine.unload()
    }

    @Test("Invalid token limits are refused", arguments: [(0, 10), (20, 10), (1, 5000)])
    func wrongLimits(minimum: Int, maximum: Int) throws {
        var options = try options()
        (options.imageMinTokens, options.imageMaxTokens) = (minimum, maximum)
        #expect(throws: EngineError.self) { _ = try open(options) }
    }

    @Test("Encoded rows are cached up to a byte limit, and the least recently used are evicted")
    func keptRows() {
        let kept = EncodedRows(limit: 3 * 8)
        for number in UInt8(0)..<3 { kept.store([[0, Float(number)]], [number]) }
        #expect(kept.rows([0]) == [[0, 0]])
        kept.store([[0, 3]], [3])
        #expect(kept.rows([1]) == nil)
        #expect(kept.rows([0]) == [[0, 0]] && kept.rows([2]) == [[0, 2]] && kept.rows([3]) == [[0, 3]])
    }
}
