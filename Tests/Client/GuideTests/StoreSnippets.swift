import ContrailStore
import Foundation

// The snippets of `ContrailStore`, as a widget compiles them: without the client.

func readInAWidget(group: URL, area: QueryArea) async throws {
  let reader = ProjectionReader(url: group.appending(path: "log/projections.sqlite"))
  let items = try reader.read { (store) throws(StoreError) in
    try store.turbulence(with: TurbulenceQuery(area: area, minimumSeverity: .light), at: .now)
  }
  reloadTimelines(items)
  for await change in reader.changes(every: .seconds(30)) { reloadTimelines(change) }
}

func read(group: URL, area: QueryArea) async throws {
  let reader = ProjectionReader(url: group.appending(path: "log/projections.sqlite"))
  let items = try reader.read { (store) throws(StoreError) in
    try store.turbulence(with: TurbulenceQuery(area: area), at: .now)
  }
  for await change in reader.changes(every: .seconds(30)) { refresh(change) }
  refresh(items)
}

func follow(_ reader: ProjectionReader) async {
  for await change in reader.changes(every: .seconds(30)) {
    switch change {
    case .success(let position): refresh(position)
    case .failure(let error): show(error.advice)
    }
  }
}

private func refresh(_ cause: Any?) {}
private func show(_ advice: String) {}
private func reloadTimelines(_ cause: Any) {}
