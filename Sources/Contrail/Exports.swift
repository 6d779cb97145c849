// An application imports `Contrail` and has the names that it needs: the data query, reports, coordinates.
@_exported public import ContrailCore
@_exported public import ContrailGeodesy
@_exported public import ContrailWire
