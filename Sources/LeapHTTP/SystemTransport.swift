#if !Downloads
/// The transport of this system: none here, since the package's trait `Downloads` is switched off.
public typealias SystemTransport = NoTransport
#elseif canImport(Darwin)
/// The transport of this system: URLSession here, which knows the system's proxies and certificates.
public typealias SystemTransport = URLSessionTransport
#else
/// The transport of this system: AsyncHTTPClient here.
public typealias SystemTransport = AsyncHTTPTransport
#endif
