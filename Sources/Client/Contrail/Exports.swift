// An app needs only `import Contrail`: it exports the modules whose types its API uses.

@_exported public import ContrailAirportData
@_exported public import ContrailAirports
@_exported public import ContrailCore
@_exported public import ContrailEngine
@_exported public import ContrailGeodesy
@_exported public import ContrailHTTP
@_exported public import ContrailQuery
@_exported public import ContrailWeather
@_exported public import ContrailWire
