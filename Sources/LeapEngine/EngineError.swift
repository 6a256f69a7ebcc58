public import Foundation
public import LeapAudio
public import LeapConstraints
public import LeapImages
public import LeapModels
import LeapJSON

/// Why a model cannot be used as asked. Errors of the layers below pass through unchanged: `GGUFError`, `ModelError`,
/// `TemplateError`, `GenerationError`.
public enum EngineError: Error, Sendable {
    /// There is not enough memory for the requested context.
    case contextDoesNotFit(contextSize: Int, bytes: Int, available: Int, largest: Int)
    /// The model was not trained to chat.
    case noChatTemplate
    /// A fill-in-the-middle request to a model that was not trained for it.
    case fillsNoGaps
    /// A message has an image, but the model has no projector.
    case seesNoPictures
    /// A message has audio, but the model has no audio encoder.
    case hearsNothing
    /// Speech was requested from a model without a vocoder.
    case hasNoVoice
    /// Speech was requested together with a constraint.
    case speaksNoConstraint
    /// An audio tokenizer, which turns codes into sound, was named without a vocoder, which makes the codes.
    case noVocoder(audioTokenizer: String)
    /// A file cannot be used as a vocoder.
    case vocoder(path: String, ModelError)
    /// A vocoder belongs to models of another embedding length.
    case voiceOfAnotherModel(width: Int, embeddingLength: Int)
    /// The vocabulary lacks the control tokens that switch between text and sound.
    case missingSpeechTokens
    /// A file cannot be used as a projector.
    case projector(path: String, ModelError)
    /// A file cannot be used as a draft model.
    case draftModel(path: String, any Error)
    /// A projector makes rows for models of another embedding length.
    case projectorOfAnotherModel(rowLength: Int, embeddingLength: Int)
    /// The vocabulary lacks tokens that surround pictures.
    case missingPictureTokens([String])
    /// Limits on an image's tokens that contradict each other or are outside the allowed range.
    case pictureTokens(minimum: Int, maximum: Int, allowed: ClosedRange<Int>)
    /// A picture that cannot be read, counted from 1.
    case picture(number: Int, ImageError)
    /// A sound that cannot be read, counted from 1.
    case sound(number: Int, AudioError)
    /// The chat template omitted or repeated the placeholders of sounds.
    case placesOfSounds(expected: Int, found: Int)
    /// The number of image placeholders that the chat template wrote differs from the number of images in the messages.
    case placesOfPictures(expected: Int, found: Int)
    /// The model was unloaded.
    case unloaded
    /// A constraint that cannot be enforced.
    case constraint(ConstraintError)
    /// The parameter schema of a function cannot be enforced.
    case parameters(ConstraintError)
    /// The adapter scales are not one finite number per adapter.
    case adapterScales(ModelError)
    /// A number that no adapter of the model has.
    case noSuchAdapter(number: Int, count: Int)
    /// A bias for a token that the vocabulary lacks.
    case biasOutOfRange(token: Int, vocabularySize: Int)
    /// A number that must not be negative.
    case negative(name: String, value: Int)
    /// A field of a message or a tool that is not what it should be.
    case malformed(field: String, expected: String, found: String)
    /// A name that models cannot call.
    case illegalFunctionName(String)
    /// Two different functions with one name.
    case duplicateFunction(String)

    /// The underlying error, if there is one.
    public var cause: (any Error)? {
        switch self {
        case .constraint(let error), .parameters(let error): error
        case .picture(_, let error): error
        case .sound(_, let error): error
        case .projector(_, let error): error
        case .vocoder(_, let error): error
        case .draftModel(_, let error): error
        case .adapterScales(let error): error
        case .contextDoesNotFit, .noChatTemplate, .fillsNoGaps, .seesNoPictures, .projectorOfAnotherModel,
            .hasNoVoice, .speaksNoConstraint, .noVocoder, .voiceOfAnotherModel, .missingSpeechTokens,
            .hearsNothing, .placesOfSounds, .missingPictureTokens, .pictureTokens, .placesOfPictures, .unloaded,
            .biasOutOfRange, .negative, .malformed, .noSuchAdapter,
            .illegalFunctionName, .duplicateFunction:
            nil
        }
    }

    static func malformed(_ field: String, expected: String, _ found: JSONValue?) -> EngineError {
        .malformed(field: field, expected: expected, found: found?.excerpt() ?? "nothing")
    }

    /// Refuses numbers below 0.
    public static func refuseNegative(_ values: KeyValuePairs<String, Int?>) throws(EngineError) {
        for (name, value) in values {
            if let value, value < 0 { throw .negative(name: name, value: value) }
        }
    }
}

extension EngineError: CustomStringConvertible, LocalizedError {
    /// What failed, what was found and what to do.
    public var description: String {
        switch self {
        case .contextDoesNotFit(let contextSize, let bytes, let available, let largest):
            "a context of \(contextSize) tokens needs \(bytes) bytes of memory, but only \(available) are available: use a "
                + "context of at most \(largest) tokens, or free some memory"
        case .noChatTemplate:
            "the model has no chat template and no ChatML tokens (\(DefaultChatTemplate.tokens.joined(separator: ", "))), "
                + "so it was probably not trained for chat: set a chat template in the options"
        case .fillsNoGaps:
            "the model's vocabulary has no prefix, suffix and middle tokens, so it does not support fill-in-the-middle: "
                + "leave out the suffix, or use a code model"
        case .seesNoPictures:
            "a message contains an image, but the model has no vision projector: add its projector, a file whose name begins "
                + "with mmproj, or leave out the image"
        case .hearsNothing:
            "a message contains audio, but the model has no audio encoder: add its projector, a file whose name begins "
                + "with mmproj, or leave out the audio"
        case .hasNoVoice:
            "speech was requested, but the model has no vocoder: add its vocoder and its audio tokenizer, files whose names "
                + "begin with vocoder and tokenizer"
        case .speaksNoConstraint:
            "speech cannot be combined with a schema or a grammar, which applies only to text: leave out one of them"
        case .noVocoder(let path):
            "the audio tokenizer '\(path)' was given without a vocoder, which generates the audio codes that it decodes: add "
                + "the vocoder, a file whose name begins with vocoder"
        case .vocoder(let path, let error):
            "the vocoder '\(path)' cannot be used: \(error)"
        case .voiceOfAnotherModel(let width, let embeddingLength):
            "the vocoder needs an embedding length of \(width), but the model's is \(embeddingLength): it belongs to "
                + "another model"
        case .missingSpeechTokens:
            "the model's vocabulary lacks <|audio_start|> or <|text_end|>, so it does not support speech: use it without "
                + "a vocoder"
        case .sound(let number, let error):
            "audio input \(number): \(error)"
        case .placesOfSounds(let expected, let found):
            "the chat template produced \(found) placeholders for \(expected) audio inputs: set a template in the options that "
                + "writes the full text of messages"
        case .projector(let path, let error):
            "the projector '\(path)' cannot be used: \(error)"
        case .draftModel(let path, let error):
            "the draft model '\(path)' cannot be used: \(error)"
        case .projectorOfAnotherModel(let rowLength, let embeddingLength):
            "the projector's output length is \(rowLength), but the model's embedding length is \(embeddingLength): it belongs "
                + "to another model"
        case .missingPictureTokens(let names):
            "the model's vocabulary lacks \(names.joined(separator: " and ")), so it does not support images: use it "
                + "without a projector"
        case .pictureTokens(let minimum, let maximum, let allowed):
            "the limits of tokens per image are \(minimum) to \(maximum): both must be \(allowed.lowerBound) to "
                + "\(allowed.upperBound), and the minimum must not exceed the maximum"
        case .picture(let number, let error):
            "image \(number) cannot be read: \(error)"
        case .placesOfPictures(let expected, let found):
            "the chat template produced \(found) placeholders for \(expected) images: set a template in the options that "
                + "supports images"
        case .unloaded:
            "the model was unloaded: load it again, and continue from the conversation's history"
        case .constraint(let error):
            "the constraint cannot be used: \(error)"
        case .parameters(let error):
            "the parameters of a function cannot be enforced: \(error)"
        case .adapterScales(let error):
            "\(error)"
        case .noSuchAdapter(let number, let count):
            count == 0
                ? "adapter \(number) was requested, but the model was loaded without adapters"
                : "adapter \(number) was requested, but the model's adapters are numbered 0 to \(count - 1)"
        case .biasOutOfRange(let token, let vocabularySize):
            "the logit bias names token \(token), but the vocabulary has the tokens 0 to \(vocabularySize - 1)"
        case .negative(let name, let value):
            "\(name) must be 0 or more, but is \(value)"
        case .malformed(let field, let expected, let found):
            "\(field) must be \(expected), found \(found)"
        case .illegalFunctionName(let name):
            "a function cannot be named '\(name)': use letters, digits and underscores, not starting with a digit"
        case .duplicateFunction(let name): "two functions are named '\(name)': rename one of them"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
