/// "Exclude top choices": now and then, all likely tokens but the least likely of them are left out, for livelier text.
public struct XTCSampling: Sendable, Hashable, Codable {
    /// How often it happens, 0...1; 0 is never.
    public var probability: Float
    /// What counts as likely: at least this probability. Above 0.5 nothing can happen.
    public var threshold: Float

    /// Makes a setting.
    public init(probability: Float = 0.5, threshold: Float = 0.1) {
        self.probability = probability
        self.threshold = threshold
    }
}
