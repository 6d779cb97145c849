import ContrailAirportData
import Testing

@testable import ContrailAirportBuilder

@Suite struct SurfaceSpellingTests {
  @Test(arguments: [
    ("ASP", RunwaySurface.asphalt), ("ASPH-G", .asphalt), ("asphalt runway.", .asphalt), ("CONC-GRVD", .concrete),
    ("'concrete'", .concrete), ("C0N", .concrete), ("ASPH-CONC", .paved), ("PEM", .paved), ("ASPH/ CONC", .paved),
    ("TURF-F", .turf), ("Grassed red clay", .turf), ("GRAS reinforced", .turf), ("GRVL-TRTD-P", .gravel),
    ("Piçarra", .gravel), ("PIÇ", .gravel), ("Oilgravel", .gravel), ("DIRT-TURF", .dirt), ("GRE", .dirt),
    ("SAN", .sand), ("Sand grass", .sand), ("COR", .coral), ("ALUM-DECK", .metal), ("PSP", .metal),
    ("PIERCED STEEL PLANKING / LANDING MATS / MEMBRANES", .metal), ("WATER-E", .water), ("Blue Ice", .snow),
    ("Wood Hexagon", .wood), ("TRTD", .notTurf), ("unsealed", .notTurf),
  ]) func spellingsMeanMaterials(spelling: String, surface: RunwaySurface) {
    #expect(RunwaySurface(spelling: spelling) == surface)
  }

  @Test func aRunwayPavedInPartIsNotTakenForAPavedOne() {
    #expect(RunwaySurface(spelling: "ASPH-TURF") == .turf)
    #expect(RunwaySurface(spelling: "Concrete/Gravel") == .gravel)
    #expect(RunwaySurface(spelling: "ASPH-TRTD") == .asphalt)
  }

  @Test func whatIsAmbiguousIsNotUnderstood() {
    for spelling in ["G", "C", "X", "", "rough", "UNK", "GRA"] { #expect(RunwaySurface(spelling: spelling) == nil) }
  }
}
