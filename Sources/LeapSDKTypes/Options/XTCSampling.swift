/// XTC ("exclude top choices") sampling: at random steps, all likely tokens except the least likely of them are
/// excluded, for livelier text.
public struct XTCSampling: Sendable, Hashable, Codable {
    /// The probability of doing so at each step, 0...1; 0 turns XTC off.
    public var probability: Float
    /// The minimum probability of a token to count as likely. Above 0.5, XTC has no effect.
    public var threshold: Float

    /// Creates a setting.
    public init(probability: Float = 0.5, threshold: Float = 0.1) {
        self.probability = probability
        self.threshold = threshold
    }
}
