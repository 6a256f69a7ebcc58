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
                    fields: SpeechRequest.fields, replyTypes: ["audio/wav", "audio/pcm", ServerSentEvents.type],
                    answer: { exchange, _ in try await speak(exchange) }),
            ]
        }
    }

    private func speak(_ exchange: Exchange) async throws -> Reply {
        let request = try SpeechRequest(try exchange.fields())
        let job: AdmittedJob
        do { job = try await core.prepare(request.job, for: exchange) } catch {
            throw error.ofAudio(SpeechRequest.input.name)
        }
        if request.sendsEvents { return job.stream(SpeechStream(sendsEvents: true)) }
        if request.format == .pcm {
            return try await job.streamOnceBegun(type: "audio/pcm", SpeechStream(sendsEvents: false))
        }
        guard let sound = try await job.answers().first?.sound else { throw SpeechStream.noSound }
        return .whole(.ok, Array(sound.bytes), type: "audio/wav")
    }

    private func transcribe(_ exchange: Exchange) async throws -> Reply {
        let request = try TranscriptionRequest(try exchange.form())
        let seconds = request.format.hasTimes ? try Self.seconds(of: request.sound) : 0
        let job: AdmittedJob
        do { job = try await core.prepare(request.job, for: exchange) } catch {
            throw error.ofAudio(TranscriptionRequest.file)
        }
        if request.streams { return job.stream(TranscriptionStream()) }
        let answers = try await job.answers()
        return TranscriptionReply(request: request, seconds: seconds).reply(answers.first ?? FinishedAnswer())
    }

    private static func seconds(of sound: Sound) throws(APIError) -> Double {
        do { return try sound.seconds() } catch { throw APIError(engine: error).ofAudio(TranscriptionRequest.file) }
    }
}
