/// How a picture that is split into tiles is fitted to the aspect ratio of its grid.
public enum GridFit: String, Sendable, CaseIterable {
    /// Each side is stretched to the grid's. This is how models were trained.
    case stretched
    /// The aspect ratio is kept, centred in a black grid, as in llama.cpp. For comparisons.
    case letterboxed
}
