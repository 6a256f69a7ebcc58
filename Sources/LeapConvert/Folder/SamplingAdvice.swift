import LeapGGUF
import LeapJSON

/// The sampling parameters that a model's authors recommend: `generation_config.json`.
enum SamplingAdvice {
    private static let numbers = [
        ("temperature", "temp"), ("top_p", "top_p"), ("min_p", "min_p"), ("repetition_penalty", "penalty_repeat"),
    ]

    /// Writes the recommendations as `general.sampling.*`.
    static func write(_ folder: ModelFolder, to writer: inout GGUFWriter) throws(ConversionError) {
        guard let advice = try folder.jsonIfPresent("generation_config.json") else { return }
        if let count = advice["top_k"]?.wholeNumber, let value = Int32(exactly: count) {
            writer.set("general.sampling.top_k", .int32(value))
        }
        for (theirs, ours) in numbers {
            if let value = advice[theirs]?.float { writer.set("general.sampling.\(ours)", .float32(value)) }
        }
    }
}
