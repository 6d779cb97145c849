import ContrailAirports

print(AirportFile.version)
