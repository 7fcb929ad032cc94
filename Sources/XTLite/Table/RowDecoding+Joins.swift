extension RowDecoder {
  /// A row with one more result behind it.
  static func pair<A, Last>(
    _ row: RowDecoder<A>, _ last: RowDecoder<Last>
  ) -> RowDecoder<(A, Last)> {
    RowDecoder<(A, Last)>(count: row.count + last.count) { statement, places in
      (
        try row.row(statement, places.prefix(row.count)),
        try last.row(statement, places.dropFirst(row.count))
      )
    }
  }

  /// The same behind a row of two.
  static func appending<A, B, Last>(
    _ row: RowDecoder<(A, B)>, _ last: RowDecoder<Last>
  ) -> RowDecoder<(A, B, Last)> {
    RowDecoder<(A, B, Last)>(count: row.count + last.count) { statement, places in
      let (a, b) = try row.row(statement, places.prefix(row.count))
      return (a, b, try last.row(statement, places.dropFirst(row.count)))
    }
  }

  /// The same behind a row of three.
  static func appending<A, B, C, Last>(
    _ row: RowDecoder<(A, B, C)>, _ last: RowDecoder<Last>
  ) -> RowDecoder<(A, B, C, Last)> {
    RowDecoder<(A, B, C, Last)>(count: row.count + last.count) { statement, places in
      let (a, b, c) = try row.row(statement, places.prefix(row.count))
      return (a, b, c, try last.row(statement, places.dropFirst(row.count)))
    }
  }

  /// The same behind a row of four.
  static func appending<A, B, C, D, Last>(
    _ row: RowDecoder<(A, B, C, D)>, _ last: RowDecoder<Last>
  ) -> RowDecoder<(A, B, C, D, Last)> {
    RowDecoder<(A, B, C, D, Last)>(count: row.count + last.count) { statement, places in
      let (a, b, c, d) = try row.row(statement, places.prefix(row.count))
      return (a, b, c, d, try last.row(statement, places.dropFirst(row.count)))
    }
  }
}
