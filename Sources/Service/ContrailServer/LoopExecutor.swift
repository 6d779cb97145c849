import NIOCore

/// Runs tasks on the event loop of a connection.
///
/// A request is then received, answered and sent by one thread. With the executor of Swift's tasks, it changes the thread twice.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
