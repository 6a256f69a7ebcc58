import HTTPTypes
import LeapEngine

/// The routes for speech and transcriptions.
struct AudioRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        ["/v1", ""].flatMap { prefix in
            [
                Route(
                    method: .post, path: prefix + "/audio/transcriptions", about: "Transcribes audio",
                    fields: TranscriptionRequest.fields, bodyType: "multipart/form-data",
                    replyTypes: ["application/json", "text/plain", "application/x-subrip", "text/vtt"],
                    answer: { exchange, _ in try await transcribe(exchange) }),
                Route(
                    method: .post, path: prefix + "/audio/speech", about: "Generates speech from text",
                    fields: SpeechRequest.fields, replyTypes: ["audio/wav", "audio/pcm", "text/event-stream"],
                    answer: { exchange, _ in try await speak(exchange) }),
            ]
        }
    }

    private func speak(_ exchange: Exchange) async throws -> Reply {
        let request = try SpeechRequest(try exchange.fields())
        let order: AdmittedOrder
        do { order = try await core.prepare(request.order, for: exchange) } catch {
            throw error.ofAudio(SpeechRequest.input.name)
        }
        if request.sendsEvents {
            return order.stream(
                type: "text/event-stream", idle: ServerSentEvents.ping, SpeechStream(sendsEvents: true))
        }
        if request.format == .pcm {
            return try await order.streamOnceBegun(type: "audio/pcm", SpeechStream(sendsEvents: false))
        }
        guard let sound = try await order.answers().first?.sound else { throw SpeechStream.noSound }
        return .whole(.ok, Array(sound.bytes), type: "audio/wav")
    }

    private func transcribe(_ exchange: Exchange) async throws -> Reply {
        let request = try TranscriptionRequest(try exchange.form())
        let seconds = request.format.hasTimes ? try Self.seconds(of: request.sound) : 0
        let order: AdmittedOrder
        do { order = try await core.prepare(request.order, for: exchange) } catch {
            throw error.ofAudio(TranscriptionRequest.file)
        }
        if request.streams {
            return order.stream(type: "text/event-stream", idle: ServerSentEvents.ping, TranscriptionStream())
        }
        let answers = try await order.answers()
        return TranscriptionReply(request: request, seconds: seconds).reply(answers.first ?? FinishedAnswer())
    }

    private static func seconds(of sound: Sound) throws(APIError) -> Double {
        do { return try sound.seconds() } catch { throw APIError(engine: error).ofAudio(TranscriptionRequest.file) }
    }
}
