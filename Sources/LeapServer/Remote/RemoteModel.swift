public import Foundation

extension ServerConfiguration {
    /// A model of another server that speaks OpenAI's API.
    public struct Remote: Sendable, Hashable {
        /// The base URL, to which `/chat/completions` is appended, such as `https://host/v1`.
        public var url: URL
        /// The other server's API key; `nil` for none.
        public var key: String?
        /// The model's name there; `nil` means the same as here.
        public var model: String?
        /// How long it may send nothing, before its answer and within it.
        public var silence = Duration.seconds(300)
        /// How long a failure to reach it is remembered, so that it is not tried again with every request.
        public var failureMemory = Duration.seconds(5)

        /// A model at an address.
        public init(url: URL, key: String? = nil, model: String? = nil) {
            self.url = url
            self.key = key
            self.model = model
        }
    }
}
