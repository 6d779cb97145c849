// The requests and answers of a transport.

@_exported public import ContrailMessages
