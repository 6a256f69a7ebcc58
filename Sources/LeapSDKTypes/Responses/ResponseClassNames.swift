// The names that responses had in versions 0.10, where each was a class. Responses are these types only under the traits of
// those versions; elsewhere a cast to one never succeeds, so that the names say which trait makes them true.

#if Leap0107 || Leap010
/// A piece of the answer's text.
public typealias MessageResponseChunk = ChunkPayload
/// A piece of the model's reasoning.
public typealias MessageResponseReasoningChunk = ReasoningChunkPayload
/// Function calls of the model.
public typealias MessageResponseFunctionCalls = FunctionCallsPayload
/// Audio samples.
public typealias MessageResponseAudioSample = AudioSamplePayload
/// The end of a generation.
public typealias MessageResponseComplete = CompletePayload
#else
/// A piece of the answer's text, as returned by `onEnum(of:)`. No response has this type.
@available(
    *, deprecated, renamed: "ChunkPayload",
    message: """
        responses are an enum in this build, so a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseChunk = ChunkPayload
/// A piece of the model's reasoning, as returned by `onEnum(of:)`. No response has this type.
@available(
    *, deprecated, renamed: "ReasoningChunkPayload",
    message: """
        responses are an enum in this build, so a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseReasoningChunk = ReasoningChunkPayload
/// Function calls of the model, as returned by `onEnum(of:)`. No response has this type.
@available(
    *, deprecated, renamed: "FunctionCallsPayload",
    message: """
        responses are an enum in this build, so a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseFunctionCalls = FunctionCallsPayload
/// Audio samples, as returned by `onEnum(of:)`. No response has this type.
@available(
    *, deprecated, renamed: "AudioSamplePayload",
    message: """
        responses are an enum in this build, so a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseAudioSample = AudioSamplePayload
/// The end of a generation, as returned by `onEnum(of:)`. No response has this type.
@available(
    *, deprecated, renamed: "CompletePayload",
    message: """
        responses are an enum in this build, so a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseComplete = CompletePayload
#endif
