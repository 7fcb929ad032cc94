import Testing

/// The parent of all suites that configure the shared database: one at a time.
@Suite(.serialized) enum SharedDatabaseTests {}
