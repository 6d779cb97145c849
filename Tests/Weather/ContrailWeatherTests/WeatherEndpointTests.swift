import ContrailGeodesy
import ContrailWeather
import Foundation
import Testing

struct WeatherEndpointTests {
  @Test func theDefaultsAreTheSeeds() {
    let endpoint = WeatherEndpoint()
    #expect(endpoint.token == nil)
    #expect(endpoint.coordinate == Coordinate(latitude: 0, longitude: 0))
    #expect(endpoint.language == .chineseSimplified)
    #expect(endpoint.measurementSystem == .metric)
    #expect(endpoint.shouldIncludeAlerts)
    #expect(endpoint.hourlyLength == 48)
    #expect(endpoint.dailyLength == 5)
    #expect(endpoint.file == "weather.json")
    #expect(endpoint.version == "v2.5")
  }

  @Test func theAddressIsAsTheServiceDefinesIt() {
    let endpoint = WeatherEndpoint(
      token: "TOKEN", coordinate: Coordinate(latitude: 31.025785475418274, longitude: 121.4474754473953))
    #expect(
      endpoint.url?.absoluteString
        == "https://api.caiyunapp.com/v2.5/TOKEN/121.4475,31.0258/weather.json"
        + "?alert=true&lang=zh_CN&unit=metric&dailysteps=5&hourlysteps=48")
  }

  @Test func eachOptionIsInTheAddress() throws {
    var endpoint = WeatherEndpoint(token: "T", coordinate: Coordinate(latitude: -0.5, longitude: -180))
    endpoint.language = .englishUK
    endpoint.measurementSystem = .metricV2
    endpoint.shouldIncludeAlerts = false
    endpoint.hourlyLength = 360
    endpoint.dailyLength = 15
    endpoint.file = "daily.json"
    endpoint.version = "v2.6"
    endpoint.service = try #require(URL(string: "http://127.0.0.1:8080/"))
    #expect(
      endpoint.url?.absoluteString
        == "http://127.0.0.1:8080/v2.6/T/180.0000,-0.5000/daily.json"
        + "?alert=false&lang=en_GB&unit=metric:v2&dailysteps=15&hourlysteps=360")
  }

  @Test func theServicesSpellingsAreTheDocumentations() {
    #expect(WeatherLanguage.allCases.map(\.rawValue) == ["zh_CN", "zh_TW", "en_US", "en_GB", "ja"])
    #expect(
      WeatherUnit.allCases.map(\.rawValue) == ["metric", "metric:v1", "metric:v2", "imperial", "SI"])
  }

  @Test func aTokenIsOnePartOfThePathWhateverItHolds() throws {
    let endpoint = WeatherEndpoint(token: Fixture.token, coordinate: Fixture.place)
    #expect(try endpoint.makeURL().absoluteString.contains("/v2.5/\(Fixture.encodedToken)/112.8641,35.4904/"))
  }

  @Test func withoutATokenThereIsNoAddress() {
    for token in [nil, ""] {
      let endpoint = WeatherEndpoint(token: token)
      #expect(endpoint.url == nil)
      #expect { try endpoint.makeURL() } throws: { ($0 as? WeatherError)?.code == .missingToken }
    }
  }

  private static func changed(_ change: (inout WeatherEndpoint) -> Void) -> WeatherEndpoint {
    var endpoint = WeatherEndpoint(token: "T", coordinate: Fixture.place)
    change(&endpoint)
    return endpoint
  }

  @Test(arguments: [
    ("hourlyLength", changed { $0.hourlyLength = 0 }), ("hourlyLength", changed { $0.hourlyLength = 361 }),
    ("dailyLength", changed { $0.dailyLength = 16 }), ("file", changed { $0.file = "" }),
    ("version", changed { $0.version = ".." }), ("token", changed { $0.token = ".." }),
    ("service", changed { $0.service = URL(filePath: "/api.caiyunapp.com") }),
    ("service", changed { $0.service.append(path: "weather") }),
  ])
  func whatCantBeAskedForIsNamed(field: String, endpoint: WeatherEndpoint) {
    #expect {
      try endpoint.makeURL()
    } throws: {
      ($0 as? WeatherError)?.code == .invalidEndpoint && ($0 as? WeatherError)?.field == field
    }
  }

  @Test func noTextOfAnEndpointOrRequestHoldsTheToken() {
    let endpoint = WeatherEndpoint(token: Fixture.token, coordinate: Fixture.place)
    let request = WeatherRequest(endpoint: endpoint, transport: ScriptedService([]))
    var dumped = ""
    dump(endpoint, to: &dumped)
    dump(request, to: &dumped)
    let texts = [
      "\(endpoint)", String(reflecting: endpoint), "\(request)", String(reflecting: request), dumped,
      "\(Optional(endpoint) as Any)", "\([endpoint])",
    ]
    for text in texts {
      #expect(!text.contains("s3cret"))
      #expect(text.contains("112.8641,35.4904"))
    }
  }
}
