// The scenario reads words into types that the module of the app re-exports.
@_exported import ContrailCore
@_exported import ContrailGeodesy
@_exported import ContrailWire
