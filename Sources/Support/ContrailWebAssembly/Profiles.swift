import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailWire

// The turbulence along a route.

/// Puts out the profile of a query, as ``put(_:to:)`` writes it.
///
/// - Parameters:
///   - second: The time by the server's clock, in seconds.
///   - own: The reports of the device.
func put(
  _ query: ProfileQuery, of state: State, asOf second: Int64, in index: ReportIndex?, own: [OwnReport] = []
) throws(QueryError) -> UInt32 {
  let profile = try state.profile(with: query, asOf: second, in: index, own: own, &buffers.profileMemory)
  return put { put(profile, to: &$0) }
}

/// Writes a profile as JSON; the cells are in ``profileCells()``, and the boundaries of the bins are the vertices.
func put(_ profile: RouteProfile, to json: inout JSONWriter) {
  buffers.profileCells.removeAll(keepingCapacity: true)
  buffers.vertices.removeAll(keepingCapacity: true)
  for cell in profile.cells {
    guard let reports = cell.reports else { continue }
    buffers.profileCells += [
      UInt32(cell.bin), UInt32(cell.level), UInt32(reports.worst.rawValue), UInt32(reports.newest.rawValue),
      UInt32((reports.maximumEDR * 10_000).rounded()), UInt32((reports.newestEDR * 10_000).rounded()),
      UInt32(clamping: reports.count), UInt32(clamping: reports.observedAt),
    ]
  }
  for bin in 0...profile.binCount {
    let place = profile.start(ofBin: bin)
    buffers.vertices.append(place.latitude)
    buffers.vertices.append(place.longitude)
  }
  func thousandths(_ name: StaticString, _ value: Double, to json: inout JSONWriter) {
    json.key(name)
    json.decimal(Int64((value * 1000).rounded()), digits: 3)
  }
  json.object { json in
    thousandths("lengthNM", profile.lengthNM, to: &json)
    thousandths("binNM", profile.binNM, to: &json)
    thousandths("widthNM", profile.widthNM, to: &json)
    json.key("bins")
    json.value(profile.binCount)
    json.key("asOf")
    json.value(profile.asOf)
    json.key("pireps")
    json.array { json in
      for pirep in profile.pireps {
        json.object { json in
          thousandths("alongNM", pirep.alongNM, to: &json)
          thousandths("offNM", pirep.offNM, to: &json)
          json.key("level")
          if let level = pirep.level { json.value(level) } else { json.null() }
          json.key("pirep")
          pirep.pirep.write(to: &json)
        }
      }
    }
    json.key("areas")
    json.array { json in
      for area in profile.areas {
        json.object { json in
          json.key("severity")
          if let severity = area.severity { json.value(severity.rawValue) } else { json.null() }
          json.key("levels")
          json.array { json in
            json.value(area.levels.lowerBound)
            json.value(area.levels.upperBound)
          }
          json.key("bins")
          json.array { json in for bin in area.bins { json.value(bin) } }
        }
      }
    }
  }
}

/// Returns the number of cells with reports of the last profile.
@_expose(wasm, "profileCount") @_cdecl("contrail_wasm_profile_count")
public func profileCount() -> UInt32 { UInt32(buffers.profileCells.count / 8) }

/// Returns the cells with reports of the last profile: bin, level, highest and newest severity, highest and newest EDR times 10,000,
/// count, and time of the newest.
@_expose(wasm, "profileCells") @_cdecl("contrail_wasm_profile_cells")
public func profileCells() -> UInt32 { address(buffers.profileCells) }

/// Finds places on the route of the last profile. The scratch buffer has H3 indexes: all lower halves, then all upper ones. The
/// vertices are then distances along the route and from it, in nautical miles; -1 for an invalid index.
@_expose(wasm, "placesOnRoute") @_cdecl("contrail_wasm_places_on_route")
public func placesOnRoute(_ count: UInt32) {
  let count = Int(count)
  buffers.vertices.removeAll(keepingCapacity: true)
  guard buffers.scratch.count >= 8 * count else { return }
  var last: Double?
  for index in 0..<count {
    let halves = scratchHalves(index, of: count)
    let place = H3Cell(rawValue: UInt64(halves.hi) << 32 | UInt64(halves.lo)).flatMap { cell in
      buffers.profileMemory.place(of: AircraftPosition(coordinate: cell.center, altitudeFeet: nil), after: last)
    }
    last = place?.alongNM ?? last
    buffers.vertices.append(place?.alongNM ?? -1)
    buffers.vertices.append(place?.offNM ?? -1)
  }
}
