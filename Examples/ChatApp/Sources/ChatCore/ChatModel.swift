import LeapModelDownloader
import Observation

/// The state that the views show, and the actions of their buttons.
@MainActor @Observable
public final class ChatModel {
    /// The state of the language model.
    public enum Phase: Hashable, Sendable {
        /// Not requested yet.
        case absent
        /// Downloading: the fraction, and bytes per second.
        case downloading(Double, bytesPerSecond: Int64)
        /// Ready to answer.
        case ready
        /// Not available, for a reason.
        case failed(String)
    }

    /// The state of the language model.
    public private(set) var phase = Phase.absent
    /// The messages.
    public private(set) var entries: [ChatEntry] = []
    /// The reminders that the model was asked to store.
    public private(set) var reminders: [Reminder]
    /// The text that the user is writing.
    public var draft = ""
    /// The settings; see ``apply(_:)``.
    public private(set) var settings: ChatSettings
    /// The last problem, until the next question.
    public private(set) var problem: String?

    private let loader: ModelLoader
    private let store: ChatStore
    private var runner: (any ModelRunner)?
    private var conversation: (any Conversation)?
    private var history: [ChatMessage]
    private var loading: Task<Void, Never>?
    private var answering: Task<Void, Never>?

    /// Restores the last chat.
    public init(loader: ModelLoader = .downloading, store: ChatStore = .standard) {
        self.loader = loader
        self.store = store
        let kept = Result { try store.read() }
        let chat = (try? kept.get()) ?? ChatStore.Chat()
        settings = chat.settings
        history = chat.messages
        reminders = chat.reminders
        show(chat.messages)
        if case .failure(let error) = kept { setAside(error) }
    }

    /// Whether an answer is being generated.
    public var isAnswering: Bool { answering != nil }

    /// Whether ``send()`` has an effect.
    public var canSend: Bool {
        phase == .ready && !isAnswering && !draft.allSatisfy(\.isWhitespace)
    }
}

// MARK: - The language model

extension ChatModel {
    /// Downloads the language model, unless it is on this machine, and loads it.
    public func load() {
        guard loading == nil, runner == nil else { return }
        phase = .downloading(0, bytesPerSecond: 0)
        loading = Task {
            defer { loading = nil }
            do {
                let runner = try await loader.load(settings) { [weak self] fraction, bytesPerSecond in
                    self?.progress(fraction, bytesPerSecond)
                }
                begin(runner)
            } catch is CancellationError {
                phase = .absent
            } catch {
                phase = Task.isCancelled ? .absent : .failed("\(error)")
            }
        }
    }

    /// Stops a download. What has arrived is kept for the next attempt.
    public func stopLoading() { loading?.cancel() }

    /// Waits until the language model is ready, or has failed.
    public func loaded() async { await loading?.value }

    private func progress(_ fraction: Double, _ bytesPerSecond: Int64) {
        guard loading != nil else { return }
        phase = .downloading(fraction, bytesPerSecond: bytesPerSecond)
    }

    private func begin(_ runner: any ModelRunner) {
        self.runner = runner
        if history.isEmpty { history = [ChatMessage(role: .system, textContent: settings.instructions)] }
        let conversation = runner.createConversationFromHistory(history: history)
        conversation.registerFunction(Reminder.function)
        self.conversation = conversation
        phase = .ready
    }

    /// Applies new settings. A different language model is loaded; different instructions begin a new conversation.
    public func apply(_ new: ChatSettings) async {
        let old = settings
        guard new != old else { return }
        settings = new
        if new.instructions != old.instructions { await forget() }
        if (new.model, new.quantization) != (old.model, old.quantization) { await reload() }
        keep()
    }

    private func reload() async {
        await finish()
        stopLoading()
        await loaded()
        await runner?.unload()
        (runner, conversation, phase) = (nil, nil, .absent)
        load()
    }
}

// MARK: - The conversation

extension ChatModel {
    /// Sends the draft.
    public func send() {
        guard canSend, let conversation else { return }
        let question = draft
        (draft, problem) = ("", nil)
        add(.user, question)
        answering = Task {
            defer { answering = nil }
            await answer(question, in: conversation)
        }
    }

    /// Stops the answer. Its text so far stays on the screen.
    public func stop() { answering?.cancel() }

    /// Waits for the end of the answer.
    public func answered() async { await answering?.value }

    /// Begins a new conversation.
    public func forget() async {
        await finish()
        (history, entries, reminders, problem) = ([], [], [], nil)
        if let runner { begin(runner) }
        keep()
    }

    private func finish() async {
        stop()
        await answered()
    }

    /// How often the language model may call functions before it answers: some would do so for ever.
    private static let callRounds = 5

    /// Generates an answer, and executes function calls until the language model makes no more.
    private func answer(_ question: String, in conversation: any Conversation) async {
        let options = GenerationOptions(temperature: settings.temperature, enableThinking: settings.thinks)
            .with(contextPolicy: .dropOldestTurns())
        var responses = conversation.generateResponse(userTextMessage: question, generationOptions: options)
        add(.model)
        do {
            for round in 1...Self.callRounds {
                try await read(responses)
                // An answer that was stopped is not in the history, and its calls need no results.
                let calls = conversation.history.last?.functionCalls ?? []
                if calls.isEmpty { break }
                for call in calls {
                    let result = ChatMessage(role: .tool, textContent: result(of: call, in: conversation))
                    conversation.appendToHistory(result)
                }
                guard round < Self.callRounds else {
                    problem = "The model was stopped after \(round) rounds of calls"
                    break
                }
                responses = conversation.generateResponse(generationOptions: options)
            }
        } catch {
            problem = "\(error)"
            entries[entries.count - 1].isStopped = true
        }
        if Task.isCancelled { entries[entries.count - 1].isStopped = true }
        // Nothing was added if the first answer was not finished.
        entries[entries.count - 1].isForgotten = conversation.history.count == history.count
        history = conversation.history
        keep()
    }

    /// Displays responses as they arrive.
    private func read(_ responses: ResponseStream) async throws {
        for try await response in responses {
            switch response {
            case .chunk(let text): entries[entries.count - 1].text += text
            case .reasoningChunk(let thought): entries[entries.count - 1].thoughts += thought
            case .functionCall, .audioSample, .complete: break
            }
        }
    }

    /// Executes a call, and returns its result for the language model.
    private func result(of call: LeapFunctionCall, in conversation: any Conversation) -> String {
        let problems = conversation.problems(in: call)
        guard problems.isEmpty else { return problems.map(\.description).joined(separator: "; ") }
        do {
            let reminder = try call.decodeArguments(as: Reminder.self)
            reminders.append(reminder)
            return "The reminder is made"
        } catch {
            return "\(error)"
        }
    }

    private func show(_ messages: [ChatMessage]) {
        for message in messages where !message.text.isEmpty {
            switch message.role {
            case .user: add(.user, message.text)
            case .assistant: add(.model, message.text, thoughts: message.reasoningContent ?? "")
            case .system, .tool: continue
            }
        }
    }

    private func add(_ speaker: ChatEntry.Speaker, _ text: String = "", thoughts: String = "") {
        entries.append(ChatEntry(id: entries.count, speaker: speaker, text: text, thoughts: thoughts))
    }

    /// Reports that the stored chat cannot be read, and renames its file, which the new chat would overwrite.
    private func setAside(_ error: any Error) {
        problem = "The last chat cannot be read: \(error)"
        do { try store.setAside() } catch { problem?.append("\nIts file cannot be renamed: \(error)") }
    }

    private func keep() {
        do {
            try store.keep(ChatStore.Chat(settings: settings, messages: history, reminders: reminders))
        } catch {
            problem = "The chat cannot be kept: \(error)"
        }
    }
}
