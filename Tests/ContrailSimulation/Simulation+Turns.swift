import Contrail
import ContrailCore
import ContrailTestSupport
import ContrailWire

// What the engine is given, and what is done about what it says.

extension Simulation {
  func submit(_ job: Job, _ engine: isolated Engine) {
    if case .inputs(let inputs) = job, inputs.isEmpty { return }
    jobs.append(job)
    if tryAgainAt == nil { work(engine) }
  }

  /// Gives the engine what waits. What a disk refuses is an input all the same: it stays, and is tried again.
  func work(_ engine: isolated Engine) {
    while let job = jobs.first, ending == nil, judge.finding == nil {
      turnCount += 1
      if turnCount > Self.maximumTurns { judge.find(.rest, "\(turnCount) turns: it never comes to rest") }
      let before = engine.state
      let refusals = disk.refusalCount
      survival.attempt(job, wishes)
      ledger.attempt(job)
      do throws(EngineError) {
        let outcome: Engine.Outcome =
          switch job {
          case .inputs(let inputs): try engine.take(inputs, at: now)
          case .reply(let reply):
            switch reply.outcome {
            case .answered(let answer): try engine.take(answer, at: now)
            case .failed(let failure, _):
              try engine.take(.responseFailed(request: reply.request.number, failure: failure), at: now)
            }
          }
        jobs.removeFirst()
        refusalsInARow = 0
        carryOut(job, outcome, from: before, engine)
      } catch {
        if engine.state != before { judge.find(.refusal, "a refused write changed the state") }
        if disk.isDead { return die() }
        if disk.refusalCount == refusals { judge.find(.refusal, "a write was refused by a sound disk: \(error)") }
        tally.count("disk.failedWrite")
        if sabotage == .refusedInputsAreDropped { jobs.removeFirst() }
        tryAgainAt = trueMS + 1000 << min(refusalsInARow, 5)
        refusalsInARow += 1
        return
      }
    }
  }

  private func carryOut(_ job: Job, _ outcome: Engine.Outcome, from before: State, _ engine: isolated Engine) {
    let state = engine.state
    var inputs: [Input] = []
    var delivery: Judge.Delivery?
    switch job {
    case .inputs(let given): inputs = given
    case .reply(let reply):
      delivery = reply.delivery
      tally.answers += 1
      if reply.isSecond || state.droppedAnswers > before.droppedAnswers { tally.crossedAnswers += 1 }
      ledger.took(reply, seq: state.cause)
    }
    server.uploads.took(inputs)
    let wishesBefore = wishes
    let wishesAmid = inputs.map { input in
      wishes.apply(input)
      return wishes
    }
    survival.acknowledged(state, wishes, disk)
    let packed = outcome.requests.map { courier.packed($0) }
    judge.watch(
      Judge.Turn(
        before: before, after: state, inputs: inputs, requests: outcome.requests, cancelled: outcome.cancelled,
        decisions: outcome.decisions, wishesBefore: wishesBefore,
        wishesAmid: wishesAmid.isEmpty ? [wishes] : wishesAmid, delivery: delivery, trueMS: trueMS),
      asked: packed.map { server.understood($0) })
    if sabotage != .databaseMissesAChange || turnCount % 5 != 0 { mirror?.follow(before, state, disk, &judge) }
    tally.inputs += max(1, inputs.count)
    for decision in outcome.decisions { tally.rules[decision.rule.rawValue, default: 0] += 1 }
    if isToDieBeforeAction {
      tally.count("process.killBeforeAction")
      ending = .kill
      return
    }
    for number in outcome.cancelled { giveUp(number) }
    for (request, packed) in zip(outcome.requests, packed) { send(request, packed) }
    wake = outcome.wake
    if syncAt == nil { syncAt = trueMS + 1000 }
  }
}
