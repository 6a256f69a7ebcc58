import Foundation

extension Folder {
    /// Removes the temporary files of processes that were killed while they wrote a small file or created a link:
    /// `.NAME.UNIQUE`. Files younger than a minute may belong to a running process and are kept.
    func removeLeftovers() {
        // What cannot be listed or looked at now will be there the next time.
        for name in (try? names()) ?? [] where Self.isTemporary(name) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
            guard let date = attributes?[.modificationDate] as? Date, date < Date.now.addingTimeInterval(-60) else {
                continue
            }
            remove(name)
        }
    }

    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return UUID(uuidString: String(name[dot...].dropFirst())) != nil
    }
}
