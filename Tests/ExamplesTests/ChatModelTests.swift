import Foundation
import LeapModelDownloader
import Testing
import _LeapTestSupport

@Suite("The sample app, without its views", .timeLimit(.minutes(2)))
@MainActor
struct ChatModelTests {
    private let folder: TemporaryFolder
    private let store: ChatStore

    init() throws {
        folder = try TemporaryFolder()
        store = ChatStore(file: folder.url.appending(path: "a/new/folder/chat.json"))
    }

    /// An app whose language model is loaded.
    private func app(_ runner: any ModelRunner) async -> ChatModel {
        let model = ChatModel(loader: ModelLoader { _, _ in runner }, store: store)
        model.load()
        await model.loaded()
        #expect(model.phase == .ready)
        return model
    }

    private func ask(_ model: ChatModel, _ question: String) async {
        model.draft = question
        model.send()
        await model.answered()
    }

    /// Stops an answer that does not end.
    private func stopAtWell(_ model: ChatModel) async throws {
        try await eventually { model.entries.last?.text == "Well" }
        model.stop()
        await model.answered()
    }

    // MARK: - The language model

    @Test("the first launch downloads the model with progress, and the model answers")
    nonisolated func download() async throws {
        try await Vendor.open().serve { await firstLaunch() }
    }

    private func firstLaunch() async {
        let reported = Fractions()
        let loader = ModelLoader { settings, progress in
            try await ModelLoader.downloading.load(settings) { fraction, bytesPerSecond in
                reported.all.append(fraction)
                progress(fraction, bytesPerSecond)
            }
        }
        let model = ChatModel(loader: loader, store: store)
        #expect(model.phase == .absent && !model.canSend)
        model.load()
        await model.loaded()
        #expect(model.phase == .ready)
        #expect(reported.all.last == 1)
        await ask(model, "Hello")
        #expect(model.problem == nil)
        #expect(model.entries.map(\.speaker) == [.user, .model])
        #expect(model.entries.last?.text.isEmpty == false)
    }

    @Test("download progress is shown, and stopping a download leaves no model")
    func stoppedDownload() async throws {
        let loader = ModelLoader { _, progress in
            await progress(0.25, 1000)
            try await Task.sleep(for: .seconds(600))
            return ScriptedRunner()
        }
        let model = ChatModel(loader: loader, store: store)
        model.load()
        try await eventually { model.phase == .downloading(0.25, bytesPerSecond: 1000) }
        model.stopLoading()
        await model.loaded()
        #expect(model.phase == .absent)
    }

    @Test("a failed load reports the reason, and can be retried")
    func missing() async throws {
        let model = ChatModel(
            loader: ModelLoader { _, _ in try await Leap.load(url: URL(fileURLWithPath: "/nowhere/model.gguf")) },
            store: store)
        for _ in 0..<2 {
            model.load()
            await model.loaded()
            guard case .failed(let reason) = model.phase else { Issue.record("\(model.phase)"); return }
            #expect(reason.contains("/nowhere/model.gguf"))
        }
    }

    // MARK: - Conversations

    @Test("reasoning is separate from the answer, and settings apply to the generation")
    func reasoning() async throws {
        let runner = ScriptedRunner(.answer("Blue.", thought: "The sky?"))
        let model = await app(runner)
        var settings = model.settings
        (settings.thinks, settings.temperature) = (true, 0.5)
        await model.apply(settings)
        await ask(model, "Which colour?")
        #expect(model.entries.map(\.text) == ["Which colour?", "Blue."])
        #expect(model.entries.last?.thoughts == "The sky?")
        #expect(runner.options?.enableThinking == true && runner.options?.temperature == 0.5)
    }

    @Test("a call creates a reminder, and the model continues with the result")
    func reminder() async throws {
        let runner = ScriptedRunner(
            try .call("create_reminder", ["title": "Milk", "date": "Friday"]), .answer("You will not forget it."))
        let model = await app(runner)
        await ask(model, "Remind me of the milk on Friday")
        #expect(model.reminders == [Reminder(title: "Milk", date: "Friday")])
        #expect(model.entries.map(\.text) == ["Remind me of the milk on Friday", "You will not forget it."])
        #expect(runner.asked.last?.map(\.role) == [.system, .user, .assistant, .tool])
    }

    @Test("an invalid call creates nothing, and the model gets the error")
    func wrongCall() async throws {
        let runner = ScriptedRunner(try .call("create_reminder", ["title": "Milk"]), .answer("Which day?"))
        let model = await app(runner)
        await ask(model, "Remind me of the milk")
        #expect(model.reminders.isEmpty)
        #expect(runner.asked.last?.last?.text == "argument 'date' is missing")
    }

    @Test("a model that keeps calling is stopped after five calls, and the user is told")
    func endlessCalls() async throws {
        let call = try ChatMessage.call("create_reminder", ["title": "Milk", "date": "Friday"])
        let runner = ScriptedRunner(call, call, call, call, call, call, call)
        let model = await app(runner)
        await ask(model, "Remind me of the milk on Friday")
        #expect(model.reminders.count == 5)
        #expect(runner.asked.count == 5)
        #expect(model.problem == "The model was stopped after 5 rounds of calls")
    }

    @Test("an answer that fails stays visible, and is marked as not remembered")
    func failedAnswer() async throws {
        let model = await app(ScriptedRunner(failure: .generationFailure("no memory", nil)))
        await ask(model, "Tell me everything")
        #expect(model.problem?.contains("no memory") == true)
        #expect(model.entries.last?.text == "Well" && model.entries.last?.isStopped == true)
        #expect(model.entries.last?.isForgotten == true)
        #expect(try store.read().messages.map(\.role) == [.system])
    }

    @Test("a stopped answer stays visible, and neither it nor its question is saved")
    func stop() async throws {
        let runner = ScriptedRunner()
        let model = await app(runner)
        model.draft = "Tell me everything"
        model.send()
        #expect(model.isAnswering && !model.canSend && model.draft.isEmpty)
        try await stopAtWell(model)
        #expect(model.entries.last?.isStopped == true && !model.isAnswering && model.problem == nil)
        #expect(model.entries.last?.isForgotten == true)
        #expect(try store.read().messages.map(\.role) == [.system])
    }

    @Test("the calls of a stopped answer are not executed")
    func stopAfterCall() async throws {
        let call = try LeapFunctionCall(name: "create_reminder", arguments: ["title": "Milk", "date": "Friday"])
        let model = await app(ScriptedRunner(calls: [call]))
        model.draft = "Remind me of the milk on Friday"
        model.send()
        try await stopAtWell(model)
        #expect(model.entries.last?.isStopped == true && model.entries.last?.isForgotten == true)
        #expect(model.reminders.isEmpty)
        #expect(try store.read().messages.map(\.role) == [.system])
    }

    @Test("an answer that is stopped after the result of a call is not marked as forgotten: its question is saved")
    func stopAfterResult() async throws {
        let model = await app(ScriptedRunner(try .call("create_reminder", ["title": "Milk", "date": "Friday"])))
        model.draft = "Remind me of the milk on Friday"
        model.send()
        try await stopAtWell(model)
        #expect(model.entries.last?.isStopped == true && model.entries.last?.isForgotten == false)
        #expect(model.reminders.count == 1)
        #expect(try store.read().messages.map(\.role) == [.system, .user, .assistant, .tool])
    }

    @Test("nothing is sent if the draft is blank, or while an answer is generated")
    func guards() async throws {
        let runner = ScriptedRunner()
        let model = await app(runner)
        await ask(model, " \n")
        #expect(runner.asked.isEmpty)
        model.draft = "One"
        model.send()
        model.draft = "Two"
        model.send()
        #expect(model.draft == "Two")
        model.stop()
        await model.answered()
        #expect(runner.asked.count == 1)
    }

    // MARK: - Launches

    @Test("a chat continues at the next launch")
    func nextLaunch() async throws {
        let first = await app(ScriptedRunner(.answer("Hello, Ann.", thought: "A name.")))
        await ask(first, "I am Ann")
        let runner = ScriptedRunner(.answer("Ann."))
        let second = await app(runner)
        #expect(second.entries == first.entries)
        await ask(second, "Who am I?")
        #expect(runner.asked.last?.map(\.text).suffix(3) == ["I am Ann", "Hello, Ann.", "Who am I?"])
    }

    @Test("a new chat clears everything but the settings")
    func forget() async throws {
        let model = await app(
            ScriptedRunner(try .call("create_reminder", ["title": "Milk", "date": "Friday"]), .answer("Yes.")))
        var settings = model.settings
        settings.instructions = "Be brief."
        await model.apply(settings)
        await ask(model, "Remind me")
        await model.forget()
        #expect(model.entries.isEmpty && model.reminders.isEmpty)
        let kept = try store.read()
        #expect(kept.settings == settings && kept.messages.map(\.text) == ["Be brief."])
    }

    @Test("choosing another model loads it, and it continues the conversation")
    func otherModel() async throws {
        let runners = ["LFM2-1.2B": ScriptedRunner(.answer("One.")), "Other": ScriptedRunner(.answer("Two."))]
        let model = ChatModel(
            loader: ModelLoader { settings, _ in try #require(runners[settings.model]) }, store: store)
        model.load()
        await model.loaded()
        await ask(model, "First")
        var settings = model.settings
        settings.model = "Other"
        await model.apply(settings)
        await model.loaded()
        await ask(model, "Second")
        #expect(model.entries.map(\.text) == ["First", "One.", "Second", "Two."])
        #expect(runners["Other"]?.asked.last?.count == 4)
    }

    @Test("an invalid chat file is reported and kept under another name, and a new chat begins")
    func damaged() async throws {
        for text in ["{", "["] {
            let file = URL(fileURLWithPath: try folder.write("chat.json", text))
            let model = ChatModel(
                loader: ModelLoader { _, _ in ScriptedRunner(.answer("Yes.")) }, store: ChatStore(file: file))
            #expect(model.problem?.hasPrefix("The last chat cannot be read: ") == true)
            #expect(model.entries.isEmpty)
            model.load()
            await model.loaded()
            await ask(model, "Hello")
            #expect(model.problem == nil)
            #expect(try String(contentsOf: file.appendingPathExtension("unreadable"), encoding: .utf8) == text)
        }
    }
}

/// The fractions of a download that were reported.
@MainActor
private final class Fractions {
    var all: [Double] = []
}
