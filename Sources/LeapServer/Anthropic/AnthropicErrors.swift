import LeapJSON

extension APIError {
    /// Anthropic's error type.
    var anthropicType: String {
        switch kind {
        case .invalid, .wrongMethod, .tooSlow, .targetTooLong, .headersTooLarge, .unsupportedContent, .notSupported,
            .clientGone:
            "invalid_request_error"
        case .unauthenticated: "authentication_error"
        case .forbidden: "permission_error"
        case .notFound: "not_found_error"
        case .tooLarge: "request_too_large"
        case .rateLimited: "rate_limit_error"
        case .overloaded: "overloaded_error"
        case .failed, .badGateway, .gatewayTimeout: "api_error"
        }
    }

    /// Anthropic's error object.
    ///
    /// - Parameter id: The request's ID.
    func anthropicDocument(id: String) -> JSONValue {
        [
            "type": "error", "error": ["type": .string(anthropicType), "message": .string(message)],
            "request_id": .string(id),
        ]
    }
}
