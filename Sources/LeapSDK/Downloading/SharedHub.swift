package import LeapHub
import LeapModels
import Synchronization

/// The hub with which `Leap.load` downloads models by name or manifest, configured by the process's environment.
package enum SharedHub {
    /// Replaces the environment's configuration within a task, for tests.
    @TaskLocal package static var override: HubConfiguration?

    private static let hub = Mutex<Hub?>(nil)

    /// The configuration that downloads use by default.
    ///
    /// - Throws: `HubError` if the environment is invalid.
    package static var configuration: HubConfiguration {
        get throws { try override ?? environment }
    }

    /// The environment's configuration, limited to the models that this package can run.
    private static var environment: HubConfiguration {
        get throws(HubError) {
            var configuration = try HubConfiguration()
            configuration.supportedArchitectures = LanguageModel.supportedArchitectures
            return configuration
        }
    }

    /// The shared hub, which reuses connections.
    static var current: Hub {
        get throws {
            if let override { return Hub(configuration: override) }
            return try hub.withLock { hub in
                if let hub { return hub }
                let made = Hub(configuration: try environment)
                hub = made
                return made
            }
        }
    }
}
