import XTLite

let peopleQuestions: [Question] = [
  Question(
    title: "Countries that bought for more than 100",
    sql: """
      SELECT BillingCountry, round(sum(Total), 2) FROM Invoice GROUP BY BillingCountry
      HAVING sum(Total) > 100 ORDER BY sum(Total) DESC
      """
  ) {
    let sum = Invoice.xt.total.sum()
    return try Invoice.xt_select(
      Invoice.xt.billingCountry, sum.round(2), groupBy: Invoice.xt.billingCountry,
      having: sum > 100, orderBy: .desc(sum)
    ).map { line($0.0, $0.1) }
  },
  Question(
    title: "Each support agent's customers and what they spent",
    sql: """
      SELECT e.FirstName || ' ' || e.LastName, count(DISTINCT c.CustomerId),
      round(sum(i.Total), 2) FROM Employee e JOIN Customer c ON c.SupportRepId = e.EmployeeId
      JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY e.EmployeeId ORDER BY e.EmployeeId
      """
  ) {
    try Employee.xt_join(Customer.self, on: Customer.xt.supportRepID == Employee.xt.employeeID)
      .join(Invoice.self, on: Invoice.xt.customerID == Customer.xt.customerID)
      .select(
        Employee.xt.firstName + " " + Employee.xt.lastName,
        Customer.xt.customerID.count(distinct: true), Invoice.xt.total.sum().round(2),
        groupBy: Employee.xt.employeeID, orderBy: .asc(\.employeeID)
      ).map { line($0.0, $0.1, $0.2) }
  },
  Question(
    title: "Who reports to whom",
    sql: """
      SELECT e.LastName, b.LastName FROM Employee e
      LEFT JOIN Employee b ON b.EmployeeId = e.ReportsTo ORDER BY e.EmployeeId
      """
  ) {
    let boss = Employee.xt.as("boss")
    return try Employee.xt_leftJoin(boss, on: boss.employeeID == Employee.xt.reportsTo)
      .orderBy(.asc(\.employeeID)).all().map { line($0.0.lastName, $0.1?.lastName) }
  },
  Question(
    title: "The chain of command, level by level",
    sql: """
      WITH RECURSIVE chain (id, level) AS (
      SELECT EmployeeId, 0 FROM Employee WHERE ReportsTo IS NULL
      UNION ALL SELECT e.EmployeeId, level + 1 FROM Employee e JOIN chain ON e.ReportsTo = id)
      SELECT level, LastName, Title FROM chain JOIN Employee e ON e.EmployeeId = id
      ORDER BY level, id
      """
  ) {
    let chain = XTTableName("chain")
    let (id, level) = (chain.column("id", as: Int.self), chain.column("level", as: Int.self))
    let table = XTCommonTable(
      chain, columns: "id", "level",
      as: Employee.xt_query().where(Employee.xt.reportsTo == nil)
        .columns(Employee.xt.employeeID, XTExpression(0)),
      unionAll: Employee.xt_query().join(chain, on: Employee.xt.reportsTo == id)
        .columns(Employee.xt.employeeID, level + 1))
    return try Employee.xt_query().with(table).join(chain, on: Employee.xt.employeeID == id)
      .columns(level, Employee.xt.lastName, Employee.xt.title)
      .orderBy(.asc(level), .asc(id)).all().map { line($0.0, $0.1, $0.2) }
  },
  Question(
    title: "Sales of each month of 2022, and up to it",
    sql: """
      WITH months (month, sum) AS (
      SELECT substr(InvoiceDate, 1, 7), sum(Total) FROM Invoice
      WHERE InvoiceDate LIKE '2022%' GROUP BY 1)
      SELECT month, round(sum, 2), round(sum(sum) OVER (ORDER BY month), 2) FROM months
      ORDER BY month
      """
  ) {
    let months = XTTableName("months")
    let month = Invoice.xt.invoiceDate.substr(1, 7)
    let table = XTCommonTable(
      months, columns: "month", "sum",
      as: Invoice.xt_query().where(Invoice.xt.invoiceDate.like("2022%"))
        .columns(month, Invoice.xt.total.sum()).groupBy(month))
    let name = months.column("month", as: String.self)
    let sum = months.column("sum", as: Double.self)
    return try months.query().with(table).orderBy(.asc(name))
      .columns(name, sum.round(2), sum.sum().over(orderBy: .asc(name)).round(2)).all()
      .map { line($0.0, $0.1, $0.2) }
  },
  Question(
    title: "The best customer of each of five countries",
    sql: """
      WITH spent (id, country, sum) AS (
      SELECT c.CustomerId, c.Country, sum(i.Total) FROM Customer c
      JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY c.CustomerId)
      SELECT s.country, LastName, round(sum, 2) FROM spent s JOIN Customer ON CustomerId = id
      WHERE sum = (SELECT max(other.sum) FROM spent other WHERE other.country = s.country)
      AND s.country IN ('Brazil', 'Canada', 'France', 'Germany', 'USA')
      ORDER BY s.country, LastName
      """
  ) {
    let (spent, other) = (XTTableName("spent"), XTTableName("spent", as: "other"))
    let table = XTCommonTable(
      spent, columns: "id", "country", "sum",
      as: Customer.xt_join(Invoice.self, on: Invoice.xt.customerID == Customer.xt.customerID)
        .columns(Customer.xt.customerID, Customer.xt.country, Invoice.xt.total.sum())
        .groupBy(Customer.xt.customerID))
    let country = spent.column("country", as: String?.self)
    let sum = spent.column("sum", as: Double.self)
    let largest = other.query().where(other.column("country", as: String?.self) == country)
      .columns(other.column("sum", as: Double.self).max()).scalar
    return try Customer.xt_query().with(table)
      .join(spent, on: Customer.xt.customerID == spent.column("id", as: Int.self))
      .where(sum == largest && country.in(["Brazil", "Canada", "France", "Germany", "USA"]))
      .orderBy(.asc(country), .asc(\.lastName))
      .columns(country, Customer.xt.lastName, sum.round(2)).all()
      .map { line($0.0, $0.1, $0.2) }
  },
  Question(
    title: "Who bought both jazz and classical music",
    sql: """
      SELECT c.LastName FROM Customer c JOIN Invoice i ON i.CustomerId = c.CustomerId
      JOIN InvoiceLine l ON l.InvoiceId = i.InvoiceId JOIN Track t ON t.TrackId = l.TrackId
      WHERE t.GenreId = 2
      INTERSECT SELECT c.LastName FROM Customer c JOIN Invoice i ON i.CustomerId = c.CustomerId
      JOIN InvoiceLine l ON l.InvoiceId = i.InvoiceId JOIN Track t ON t.TrackId = l.TrackId
      WHERE t.GenreId = 24 ORDER BY 1
      """
  ) {
    let names = Customer.xt_join(
      Invoice.self, on: Invoice.xt.customerID == Customer.xt.customerID
    )
    .join(InvoiceLine.self, on: InvoiceLine.xt.invoiceID == Invoice.xt.invoiceID)
    .join(Track.self, on: Track.xt.trackID == InvoiceLine.xt.trackID)
    .columns(Customer.xt.lastName)
    return try names.where(Track.xt.genreID == 2).intersect(names.where(Track.xt.genreID == 24))
      .orderBy(.asc(\.lastName)).all()
  },
  Question(
    title: "Cities of employees and of Canadian customers",
    sql: """
      SELECT City FROM Employee UNION SELECT City FROM Customer WHERE Country = 'Canada'
      ORDER BY City
      """
  ) {
    try Employee.xt_query().columns(Employee.xt.city)
      .union(Customer.xt_query().where(\.country == "Canada").columns(Customer.xt.city))
      .orderBy(.asc(\.city)).all().map { line($0) }
  },
  Question(
    title: "How many invoices are more than twice the average",
    sql: "SELECT count(*) FROM Invoice WHERE Total > 2 * (SELECT avg(Total) FROM Invoice)"
  ) {
    let average = Invoice.xt_query().columns(Invoice.xt.total.avg()).scalar
    return [line(try Invoice.xt_countWhere(Invoice.xt.total > 2 * average))]
  },
  Question(
    title: "The first invoices of customer 1, each with the average of the three up to it",
    sql: """
      SELECT InvoiceId, Total, round(avg(Total) OVER (ORDER BY InvoiceId
      ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), 2) FROM Invoice WHERE CustomerId = 1
      ORDER BY InvoiceId LIMIT 5
      """
  ) {
    let average = Invoice.xt.total.avg().over(
      orderBy: .asc(Invoice.xt.invoiceID), frame: .rows(.preceding(2), .currentRow))
    return try Invoice.xt_query().where(\.customerID == 1).orderBy(.asc(\.invoiceID)).limit(5)
      .columns(Invoice.xt.invoiceID, Invoice.xt.total, average.round(2)).all()
      .map { line($0.0, $0.1, $0.2) }
  },
]
