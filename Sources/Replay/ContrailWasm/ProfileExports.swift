import ContrailCore
import ContrailQuery
import ContrailReplay
import ContrailWire

/// Puts out the turbulence along the app's route after a line, as JSON; the cells are in `profileCells`, and the boundaries of the
/// bins are the vertices. Returns 0 if there is no route.
@_expose(wasm, "profile") @_cdecl("contrail_wasm_profile")
public func profile(_ line: Int32, _ at: Double, _ widthNM: Double) -> UInt32 {
  buffers.profileCells.removeAll(keepingCapacity: true)
  buffers.vertices.removeAll(keepingCapacity: true)
  guard let playback = instance.playback else { return 0 }
  let state = playback.state(after: Int(line))
  guard let route = state.route else { return 0 }
  let now = max(state.now, Int64(exactly: at.rounded()) ?? state.now)
  do throws(QueryError) {
    return try put(
      ProfileQuery(along: route, widthNM: widthNM), of: state, asOf: (now + (state.serverOffsetMS ?? 0)) / 1000,
      in: nil)
  } catch {
    return put { json in
      json.object { json in
        json.key("problem")
        json.value(error.description)
      }
    }
  }
}
