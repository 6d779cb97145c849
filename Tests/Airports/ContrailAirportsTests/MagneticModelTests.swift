import Testing

@testable import ContrailAirportData

@Suite struct MagneticModelTests {
  @Test func declinationsAreThoseOfAnotherImplementation() throws {
    for row in MagneticTable.rows {
      let edition: MagneticModel.Edition = row.edition == 2020 ? .wmm2020 : .wmm2025
      var model = MagneticModel(edition, year: row.year)
      let declination = model.declination(latitude: row.latitude, longitude: row.longitude)
      // Near a magnetic pole, the last bits of the field are magnified.
      #expect((declination - row.degrees).magnitude < 1e-10, "\(row)")
    }
  }

  /// The bits are stored in files, so they must be the same on every machine and in every build.
  @Test func theBitsOfADeclinationNeverChange() {
    var model = MagneticModel(.wmm2020, year: 2025.75)
    let bits = [(51.4706, -0.461941), (-90, 0), (89.99, 12), (0, 180), (-17.7554, 177.443)].map {
      model.declination(latitude: $0.0, longitude: $0.1).bitPattern
    }
    var mixed: UInt64 = 0
    for word in bits { mixed = (mixed ^ word) &* 0x9e37_79b9_7f4a_7c15 }
    #expect(String(mixed, radix: 16) == "3fafe4aada1fc369")
  }

  @Test func sinesAndAnglesAreThoseOfTheCLibrary() {
    for step in -720...720 {
      let angle = Double(step) / 720 * .pi
      let (sine, cosine) = PortableMath.sineAndCosine(angle)
      #expect((sine * sine + cosine * cosine - 1).magnitude < 1e-15)
      // At ±π, both signs are right.
      let back = PortableMath.angle(y: sine, x: cosine)
      #expect((back - angle).magnitude < 1e-15 || (back.magnitude - angle.magnitude).magnitude < 1e-15, "\(step)")
    }
  }

  @Test func neighboursHaveNeighbouringPositions() {
    for value in [0, 1, -1, 1e-300, -178.25, .leastNonzeroMagnitude, -.leastNonzeroMagnitude] as [Double] {
      let position = DoubleOrder.position(value)
      #expect(DoubleOrder.value(at: position) == value)
      #expect(DoubleOrder.value(at: position + 1) == value.nextUp)
      #expect(DoubleOrder.value(at: position - 1) == value.nextDown)
    }
    #expect(DoubleOrder.position(-0.0) == DoubleOrder.position(0))
    #expect(DoubleOrder.value(at: DoubleOrder.position(.greatestFiniteMagnitude) + 1) == nil)
  }
}
