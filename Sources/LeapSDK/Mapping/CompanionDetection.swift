import LeapEngine
import LeapHub

extension ModelOptions {
    /// Looks for a projector beside the model where the options name none. One that turns out to belong to another model is
    /// left out.
    mutating func detectProjector() {
        guard projectorPath == nil else { return }
        projectorPath = CompanionFiles.projector(besideFile: path)
        requiresProjector = false
    }
}
