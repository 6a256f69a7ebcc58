package import LeapConvert

extension ModelConversion {
    /// Writes the file with a progress bar; it appears under its name when it is complete.
    package func writeShowingProgress(to path: String) throws {
        var bar = ProgressBar("convert", total: byteCount)
        var done = 0
        try write(to: path) { count, tensor in
            done += count
            bar.update(done, note: tensor)
        }
    }
}
