#if !Downloads
/// The transport of this build: none, since the package's trait `Downloads` is disabled.
public typealias SystemTransport = NoTransport
#elseif canImport(Darwin)
/// The transport of this platform: URLSession, which uses the system's proxies and certificates.
public typealias SystemTransport = URLSessionTransport
#else
/// The transport of this platform: AsyncHTTPClient.
public typealias SystemTransport = AsyncHTTPTransport
#endif
