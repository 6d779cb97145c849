import Contrail
import Foundation

// See `Snippets.swift`.

// MARK: From the weather client

func performRequest(token: String) {
  let coordinate = Coordinate(latitude: 31.025785475418274, longitude: 121.4474754473953)
  let request = WeatherRequest(token: token, coordinate: coordinate)
  request.perform { response, source, error in
    guard let response, error == nil else {
      show(error.debugDescription)
      return
    }
    show(response, source)
  }
}

func awaitRequest(token: String, coordinate: Coordinate) async throws {
  let request = WeatherRequest(token: token, coordinate: coordinate)
  let answer = try await request.perform()
  show(answer.response, answer.source, answer.isExpired)
}

func setEndpoint(_ request: WeatherRequest, token: String, coordinate: Coordinate) {
  var endpoint = WeatherEndpoint()
  endpoint.token = token
  endpoint.coordinate = coordinate
  request.endpoint = endpoint
}

func setOptions(_ request: WeatherRequest, folder: URL) {
  request.endpoint.language = .englishUS
  request.endpoint.measurementSystem = .metricV2
  request.endpoint.shouldIncludeAlerts = true
  request.endpoint.hourlyLength = 48
  request.endpoint.dailyLength = 5
  request.expiration = 5 * 60
  request.queue = .global(qos: .background)
  request.localContentURL = folder
}

func chooseSource(_ request: WeatherRequest) async throws {
  let stored = try await request.perform(from: .local)
  let bytes = try await request.fetchData(from: .remote)
  let response = try request.decode(bytes)
  show(stored, response)
}

func convertUnits(_ response: WeatherResponse) {
  let speed = response.measured.realtime?.wind?.speed.converted(to: .kilometersPerHour).value
  show(speed as Any)
}

func convertUnitsByHand(_ response: WeatherResponse) {
  if let windSpeed = response.result.realtime?.wind?.speed.value {
    let measurement = Measurement(value: windSpeed, unit: response.unit.system.windSpeed)
    let convertedSpeed = measurement.converted(to: .kilometersPerHour).value
    show(convertedSpeed)
  }
}

func nameValues(_ response: WeatherResponse) {
  if let realtime = response.result.realtime, let wind = realtime.wind {
    show(realtime.phenomenon?.name(in: .english) as Any)
    show(wind.speed.description(in: response.unit, language: .english))
  }
}

func configureWeather(_ configuration: inout ContrailClient.Configuration, token: String) {
  configuration.weather = WeatherService(token: token)
}

func logWeather(_ client: ContrailClient, _ endpoint: WeatherEndpoint) {
  let logged = WeatherRequest(endpoint: endpoint, transport: client.loggedWeatherTransport())
  show(logged)
}

func followWeather(_ client: ContrailClient, destination: RoundedCoordinate) async throws {
  client.dataQuery.weather.places = [destination]
  for await case .data(.weather(destination)) in client.updates {
    if let held = try client.weather(at: destination) { show(held.response, isOld: held.isExpired) }
  }
}

func wantWeather(_ client: ContrailClient, endpoint: WeatherEndpoint) throws {
  client.dataQuery.weather.spec = WeatherSpec(endpoint)
  client.dataQuery.weather.places = [try RoundedCoordinate(endpoint.coordinate)]
}

// MARK: From the airport loader

func findAirport(_ client: ContrailClient) async throws {
  let heathrow = try await client.airports.search("heathr").first
  show(heathrow as Any)
}

func findOnline(_ client: ContrailClient) async throws {
  let searchManager = AirportSearchManager.createOnlineManager(context: client)
  let airport = try await searchManager.searchByDirectoryObjectId(objectId: "EGLL").value
  show(airport as Any)
}

func deliverFromFolder(_ configuration: inout ContrailClient.Configuration) {
  configuration.airportFolder = URL(string: "https://example.org/airports")
}

func loadAirports(_ client: ContrailClient, _ configuration: inout ContrailClient.Configuration) async throws {
  configuration.airportDelivery = .manual
  try await client.airports.loadCurrent()
}

@MainActor
final class DownloadPanel {
  private var progressConnection: Cancellable?

  func showBytes(_ loader: AirportLoader) {
    progressConnection = loader.downloads.sinkOnMainThread(buffering: .newest(1)) { progress in
      show("\(progress.receivedBytes) of \(progress.totalBytes ?? 0) bytes")
    }
  }
}

func loadOrWait(_ client: ContrailClient) async throws {
  do {
    try await client.airports.loadCurrent()
  } catch .cycleNotAvailable(let cycle) {
    show("Cycle \(cycle) isn't published yet.")
  }
}

func checkCycle(_ cycle: AIRACCycle?, now: Int64) {
  func outOfDate(cycle: AIRACCycle?) -> Bool {
    if let cycle, cycle.isEffective(at: now) { return false }
    return true
  }
  show(outOfDate(cycle: cycle))
}

@MainActor
func showProgress(_ client: ContrailClient) async throws -> Cancellable {
  let loader = try await client.airports.openLoader()
  let connection = loader.states.sinkOnMainThread(buffering: .newest(1)) { state in
    switch state {
    case .downloading(let progress), .extracting(let progress), .loading(let progress): show(progress)
    case .idle, .finished: hideError()
    }
  }
  return connection
}

@MainActor
func makeViewModel(_ client: ContrailClient) async throws {
  let airports = client.airports
  let viewModel = AirportLoaderViewModel(loader: try await airports.openLoader(), onEvent: { airports.note($0) })
  try await viewModel.refresh()
  if viewModel.showLoader { show(viewModel.canDefer) }
}

func deferLoading(_ client: ContrailClient, cycle: AIRACCycle) async {
  await client.airports.deferLoad(of: cycle)
}

func loadNextCycle(_ client: ContrailClient) async throws {
  try await client.airports.loadNext()
}

func importInBatches(_ database: AirportDatabase, _ reader: AirportReader, sha256: String) async throws {
  var load = try database.beginLoad(of: reader, fingerprint: sha256)
  while try load.step() {
    show(load.progress)
    await Task.yield()
  }
}

// MARK: - What the snippets call

func show(_ response: WeatherResponse, isOld: Bool) {}
