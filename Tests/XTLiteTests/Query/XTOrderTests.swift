import Testing

@testable import XTLite

private func terms(_ orders: XTOrder<QueryPerson>...) throws -> [String] {
  try orders.map { try $0.resolved().text }
}

@Suite struct XTOrderTests {
  @Test func order_byKeyPath_isTheQuotedColumn() throws {
    #expect(try terms(.asc(\.age), .desc(\.order)) == ["`age` ASC", "`order` DESC"])
  }

  @Test func order_byDecimal_usesItsCollation() throws {
    #expect(try terms(.desc(\.price)) == ["`price` COLLATE xt_decimal DESC"])
    #expect(try terms(.asc(column: "price")) == ["`price` COLLATE xt_decimal ASC"])
  }

  @Test func order_byName_isQuoted() throws {
    #expect(try terms(.asc(column: "a`b")) == ["`a``b` ASC"])
    #expect(try terms(.desc(column: "age")) == ["`age` DESC"])
  }

  @Test func order_byWhatIsNoColumn_isThrownWhereUsed() {
    let error = #expect(throws: XTError.self) { try terms(.asc(\.initials)) }
    #expect(error?.kind == .unknownColumn)
  }

  @Test func order_describesItself() {
    #expect("\(XTOrder<QueryPerson>.asc(\.age))" == "`age` ASC")
  }
}
