import HTTPTypes
import LeapEngine

/// What models that hear are asked.
struct AudioRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        ["/v1", ""].map { prefix in
            Route(
                method: .post, path: prefix + "/audio/transcriptions", about: "Writes down what is said in a sound",
                fields: TranscriptionRequest.fields, bodyType: "multipart/form-data",
                answer: { exchange, _ in try await transcribe(exchange) })
        }
    }

    private func transcribe(_ exchange: Exchange) async throws -> Reply {
        let request = try TranscriptionRequest(try exchange.form())
        let seconds = request.format.hasTimes ? try Self.seconds(of: request.sound) : 0
        let order: AdmittedOrder
        do { order = try await core.prepare(request.order, for: exchange) } catch var error {
            if error.param == "messages" { error.param = TranscriptionRequest.file }
            throw error
        }
        if request.streams {
            return order.stream(type: "text/event-stream", idle: ServerSentEvents.ping, TranscriptionStream())
        }
        let answers = try await order.answers()
        return TranscriptionReply(request: request, seconds: seconds).reply(answers.first ?? FinishedAnswer())
    }

    private static func seconds(of sound: Sound) throws(APIError) -> Double {
        do { return try sound.seconds() } catch { throw .invalid(TranscriptionRequest.file, "\(error)") }
    }
}
