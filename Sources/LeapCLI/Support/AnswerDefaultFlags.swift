#if Server
import ArgumentParser
import LeapEngine
import LeapServer

/// How a server's models answer requests that do not say, with llama-server's flags.
struct AnswerDefaultFlags: ParsableArguments {
    @OptionGroup var common: CommonGenerationFlags
    @OptionGroup(visibility: .hidden) var filters: FilterFlags
    @OptionGroup var thinking: ThinkingFlags
    @OptionGroup var variables: TemplateVariableFlags

    /// The defaults of all models.
    ///
    /// - Throws: A usage error if the variables of templates are not JSON.
    func defaults() throws -> AnswerDefaults {
        var chat = ChatRequest([], templateVariables: try variables.values(), AnswerOptions())
        common.apply(to: &chat.options)
        filters.apply(to: &chat.options.sampling)
        thinking.apply(to: &chat)
        var defaults = AnswerDefaults()
        defaults.sampling = chat.options.sampling
        defaults.seed = chat.options.seed
        defaults.maxTokens = chat.options.maxTokens
        defaults.thinkingBudget = chat.options.thinkingBudget
        defaults.thinks = chat.thinks
        defaults.inlinesThoughts = chat.options.inlinesThoughts ?? false
        defaults.templateVariables = chat.templateVariables
        return defaults
    }
}
#endif
