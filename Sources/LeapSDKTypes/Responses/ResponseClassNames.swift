// The names that responses had in versions 0.10, where each was a class. Responses are these types only under the traits of
// those versions; elsewhere a cast to one never succeeds, so that the names say which trait makes them true.

#if Leap0107 || Leap010
/// Text of the answer.
public typealias MessageResponseChunk = ChunkPayload
/// Text of the model's thoughts.
public typealias MessageResponseReasoningChunk = ReasoningChunkPayload
/// Functions that the model asks to call.
public typealias MessageResponseFunctionCalls = FunctionCallsPayload
/// Sound.
public typealias MessageResponseAudioSample = AudioSamplePayload
/// The end of a generation.
public typealias MessageResponseComplete = CompletePayload
#else
/// Text of the answer: what `onEnum(of:)` gives. No response is of this type.
@available(
    *, deprecated, renamed: "ChunkPayload",
    message: """
        responses are an enum here, and a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseChunk = ChunkPayload
/// Text of the model's thoughts: what `onEnum(of:)` gives. No response is of this type.
@available(
    *, deprecated, renamed: "ReasoningChunkPayload",
    message: """
        responses are an enum here, and a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseReasoningChunk = ReasoningChunkPayload
/// Functions that the model asks to call: what `onEnum(of:)` gives. No response is of this type.
@available(
    *, deprecated, renamed: "FunctionCallsPayload",
    message: """
        responses are an enum here, and a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseFunctionCalls = FunctionCallsPayload
/// Sound: what `onEnum(of:)` gives. No response is of this type.
@available(
    *, deprecated, renamed: "AudioSamplePayload",
    message: """
        responses are an enum here, and a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseAudioSample = AudioSamplePayload
/// The end of a generation: what `onEnum(of:)` gives. No response is of this type.
@available(
    *, deprecated, renamed: "CompletePayload",
    message: """
        responses are an enum here, and a cast to this type never succeeds: switch over onEnum(of:), or build with the \
        package's trait Leap010 (0.10.8 and later) or Leap0107 (0.10.0 to 0.10.7)
        """
)
public typealias MessageResponseComplete = CompletePayload
#endif
