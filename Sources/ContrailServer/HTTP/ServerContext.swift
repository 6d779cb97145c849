#if Online
  import Hummingbird
  import NIOCore

  /// What a request carries along: its connection, which a fault may close.
  struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
      coreContext = CoreRequestContextStorage(source: source)
      channel = source.channel
    }
  }
#endif
