import ContrailCore
import ContrailField
import ContrailTestSupport
import ContrailWire

extension Rig {
  /// Answers with a wrong count, checksum or `follows`, or by default with an earlier watermark.
  mutating func answer(with difference: PlannerTable.Occurrence) {
    answer(change: { response in
      guard var answer = try? response.body.observations(), let held = answer.held else { return }
      switch difference {
      case .countDiffers: answer.held = HeldSum(count: held.count + 5, checksum: held.checksum)
      case .checksumDiffers: answer.held = HeldSum(count: held.count, checksum: ~held.checksum)
      case .followsDiffers: answer.follows = 5
      default: answer.token -= 100
      }
      response.body = .answer(answer)
    })
  }
}
