// A reader needs only `import ContrailStore`: it exports the modules whose types its API uses.

@_exported public import ContrailCore
@_exported public import ContrailGeodesy
@_exported public import ContrailQuery
@_exported public import ContrailWire
