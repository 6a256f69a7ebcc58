import LeapSDK
import Testing

@Suite("Conversation course")
struct ConversationCourseTests {
    private static let system = ChatMessage(role: .system, textContent: "Be kind.")
    private static let question = ChatMessage(role: .user, textContent: "Why?")
    private static let answer = ChatMessage(role: .assistant, textContent: "Because.")

    @Test("a completed turn keeps its message and answer, an abandoned one keeps neither")
    func ends() throws {
        var course = ConversationCourse(history: [Self.system])
        let begun = course.begin(Self.question)
        let stopped = try #require(begun)
        #expect(course.isGenerating && course.history == [Self.system, Self.question])
        let second = course.begin(Self.question)
        #expect(second == nil)
        for _ in 0..<2 { course.abandon(stopped) }
        #expect(!course.isGenerating && course.history == [Self.system])

        let next = course.begin(Self.question)
        let whole = try #require(next)
        // Too late: another turn has begun.
        course.abandon(stopped)
        let isLateEnd = course.end(stopped, with: Self.answer)
        let isEnd = course.end(whole, with: Self.answer)
        #expect(!isLateEnd && isEnd && course.history == [Self.system, Self.question, Self.answer])
        course.abandon(whole)
        #expect(course.history.count == 3)
    }

    @Test("an answer appended during its turn is not appended again, and equal earlier answers do not count")
    func answered() throws {
        var course = ConversationCourse(history: [Self.answer])
        let first = course.begin(nil)
        let isFirstEnd = course.end(try #require(first), with: Self.answer)
        #expect(isFirstEnd && course.history == [Self.answer, Self.answer])
        let second = course.begin(Self.question)
        course.append(Self.answer)
        let isSecondEnd = course.end(try #require(second), with: Self.answer)
        #expect(isSecondEnd && course.history == [Self.answer, Self.answer, Self.question, Self.answer])
    }

    @Test("abandoning a turn whose message was already removed removes no other message")
    func removed() throws {
        var course = ConversationCourse(history: [Self.system])
        let turn = course.begin(Self.question)
        course.removeLast()
        course.append(Self.answer)
        course.abandon(try #require(turn))
        #expect(course.history == [Self.system, Self.answer])
    }

    @Test("abandoning a turn that its generator has answered keeps question and answer")
    func answeredByGenerator() throws {
        var course = ConversationCourse(history: [Self.system])
        let turn = course.begin(Self.question)
        course.append(Self.answer)
        course.abandon(try #require(turn))
        #expect(course.history == [Self.system, Self.question, Self.answer])
        #expect(!course.isGenerating)
    }

    @Test("an invalid function is reported once")
    func refusal() throws {
        var course = ConversationCourse(history: [])
        course.register(LeapFunction(name: "f", description: "", parameters: []))
        course.register(LeapFunction(name: "not a name", description: "", parameters: []))
        let (refused, functions) = (course.takeFunctions(), course.takeFunctions())
        #expect(throws: LeapFunctionError.self) { try refused.get() }
        #expect(try functions.get().map(\.name) == ["f"])
    }
}
