// A client of the weather service needs only `import ContrailWeather`: it exports the module of its connection.

@_exported public import ContrailHTTP
