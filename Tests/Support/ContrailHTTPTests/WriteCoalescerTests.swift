#if AsyncHTTPClient || Programs
  import ContrailHTTP
  import NIOCore
  import NIOEmbedded
  import Testing

  @Suite struct WriteCoalescerTests {
    private func channel() throws -> EmbeddedChannel {
      let channel = EmbeddedChannel()
      try channel.pipeline.syncOperations.addHandler(WriteCoalescer())
      return channel
    }

    private func sizes(_ channel: EmbeddedChannel) throws -> [Int] {
      var sizes: [Int] = []
      while let buffer = try channel.readOutbound(as: ByteBuffer.self) { sizes.append(buffer.readableBytes) }
      return sizes
    }

    @Test func whatIsWrittenInOneTurnIsOneBuffer() throws {
      let channel = try channel()
      var results: [EventLoopFuture<Void>] = []
      for text in ["head", "", "body", "end"] { results.append(channel.write(ByteBuffer(string: text))) }
      channel.flush()
      results.append(channel.writeAndFlush(ByteBuffer(string: "!")))
      #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
      channel.embeddedEventLoop.run()
      #expect(try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) } == "headbodyend!")
      for result in results { try result.wait() }
      channel.writeAndFlush(ByteBuffer(string: "next"), promise: nil)
      channel.embeddedEventLoop.run()
      #expect(try sizes(channel) == [4])
      _ = try channel.finish()
    }

    @Test func nothingIsSentBeforeAFlush() throws {
      let channel = try channel()
      channel.write(ByteBuffer(string: "head"), promise: nil)
      channel.embeddedEventLoop.run()
      #expect(try sizes(channel).isEmpty)
      channel.flush()
      channel.embeddedEventLoop.run()
      #expect(try sizes(channel) == [4])
      _ = try channel.finish()
    }

    @Test func noBufferIsLargerThanARecordUnlessItCameSo() throws {
      let channel = try channel()
      for size in [9, 16_000, 9, 400, 20_000, 9] {
        channel.write(ByteBuffer(repeating: 7, count: size), promise: nil)
      }
      channel.flush()
      channel.embeddedEventLoop.run()
      #expect(try sizes(channel) == [16_018, 400, 20_000, 9])
      _ = try channel.finish()
    }

    @Test func aCloseSendsWhatWasFlushed() throws {
      let channel = try channel()
      let result = channel.writeAndFlush(ByteBuffer(string: "bye"))
      channel.close(promise: nil)
      channel.embeddedEventLoop.run()
      #expect(try sizes(channel) == [3])
      try result.wait()
    }

    @Test func whatWasNotFlushedBeforeACloseFails() throws {
      let channel = try channel()
      let results = [channel.write(ByteBuffer(string: "a")), channel.write(ByteBuffer(string: "b"))]
      channel.close(promise: nil)
      channel.embeddedEventLoop.run()
      #expect(try sizes(channel).isEmpty)
      for result in results { #expect(throws: ChannelError.self) { try result.wait() } }
    }
  }
#endif
