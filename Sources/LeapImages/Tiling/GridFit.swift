/// How a picture that is cut into tiles comes to the proportions of its grid.
public enum GridFit: String, Sendable, CaseIterable {
    /// Each side becomes as long as the grid's. Models were trained so.
    case stretched
    /// The picture keeps its proportions, in the middle of a black grid, as llama.cpp has it. For comparisons.
    case letterboxed
}
