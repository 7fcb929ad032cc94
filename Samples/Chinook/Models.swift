import XTLite

// The tables of Chinook, which another program made: properties go by Swift's names, columns by
// the file's. Each table's own integer key stands in pkid's place.

struct Artist: XTModel {
  var artistID = 0
  var name: String?

  static var xt_columnNames: XTNameMap { [\Artist.artistID: "ArtistId", \Artist.name: "Name"] }
  static var xt_primaryKey: XTKeyPaths { [\Artist.artistID] }
}

struct Album: XTModel {
  var albumID = 0
  var title = ""
  var artistID = 0

  static var xt_columnNames: XTNameMap {
    [\Album.albumID: "AlbumId", \Album.title: "Title", \Album.artistID: "ArtistId"]
  }
  static var xt_primaryKey: XTKeyPaths { [\Album.albumID] }
}

struct Genre: XTModel {
  var genreID = 0
  var name: String?

  static var xt_columnNames: XTNameMap { [\Genre.genreID: "GenreId", \Genre.name: "Name"] }
  static var xt_primaryKey: XTKeyPaths { [\Genre.genreID] }
}

struct MediaType: XTModel {
  var mediaTypeID = 0
  var name: String?

  static var xt_columnNames: XTNameMap {
    [\MediaType.mediaTypeID: "MediaTypeId", \MediaType.name: "Name"]
  }
  static var xt_primaryKey: XTKeyPaths { [\MediaType.mediaTypeID] }
}

struct Track: XTModel {
  var trackID = 0
  var name = ""
  var albumID: Int?
  var mediaTypeID = 0
  var genreID: Int?
  var composer: String?
  var milliseconds = 0
  var bytes: Int?
  var unitPrice = 0.0

  static var xt_columnNames: XTNameMap {
    [
      \Track.trackID: "TrackId", \Track.name: "Name", \Track.albumID: "AlbumId",
      \Track.mediaTypeID: "MediaTypeId", \Track.genreID: "GenreId", \Track.composer: "Composer",
      \Track.milliseconds: "Milliseconds", \Track.bytes: "Bytes", \Track.unitPrice: "UnitPrice",
    ]
  }
  static var xt_primaryKey: XTKeyPaths { [\Track.trackID] }
}

struct Customer: XTModel {
  var customerID = 0
  var firstName = ""
  var lastName = ""
  var city: String?
  var country: String?
  var email = ""
  var supportRepID: Int?

  static var xt_columnNames: XTNameMap {
    [
      \Customer.customerID: "CustomerId", \Customer.firstName: "FirstName",
      \Customer.lastName: "LastName", \Customer.city: "City", \Customer.country: "Country",
      \Customer.email: "Email", \Customer.supportRepID: "SupportRepId",
    ]
  }
  static var xt_primaryKey: XTKeyPaths { [\Customer.customerID] }
}

struct Employee: XTModel {
  var employeeID = 0
  var lastName = ""
  var firstName = ""
  var title: String?
  var reportsTo: Int?
  var city: String?

  static var xt_columnNames: XTNameMap {
    [
      \Employee.employeeID: "EmployeeId", \Employee.lastName: "LastName",
      \Employee.firstName: "FirstName", \Employee.title: "Title",
      \Employee.reportsTo: "ReportsTo", \Employee.city: "City",
    ]
  }
  static var xt_primaryKey: XTKeyPaths { [\Employee.employeeID] }
}

struct Invoice: XTModel {
  var invoiceID = 0
  var customerID = 0
  /// Text: "2009-01-01 00:00:00".
  var invoiceDate = ""
  var billingCountry: String?
  var total = 0.0

  static var xt_columnNames: XTNameMap {
    [
      \Invoice.invoiceID: "InvoiceId", \Invoice.customerID: "CustomerId",
      \Invoice.invoiceDate: "InvoiceDate", \Invoice.billingCountry: "BillingCountry",
      \Invoice.total: "Total",
    ]
  }
  static var xt_primaryKey: XTKeyPaths { [\Invoice.invoiceID] }
}

struct InvoiceLine: XTModel {
  var invoiceLineID = 0
  var invoiceID = 0
  var trackID = 0
  var unitPrice = 0.0
  var quantity = 0

  static var xt_columnNames: XTNameMap {
    [
      \InvoiceLine.invoiceLineID: "InvoiceLineId", \InvoiceLine.invoiceID: "InvoiceId",
      \InvoiceLine.trackID: "TrackId", \InvoiceLine.unitPrice: "UnitPrice",
      \InvoiceLine.quantity: "Quantity",
    ]
  }
  static var xt_primaryKey: XTKeyPaths { [\InvoiceLine.invoiceLineID] }
}

struct Playlist: XTModel {
  var playlistID = 0
  var name: String?

  static var xt_columnNames: XTNameMap {
    [\Playlist.playlistID: "PlaylistId", \Playlist.name: "Name"]
  }
  static var xt_primaryKey: XTKeyPaths { [\Playlist.playlistID] }
}

struct PlaylistTrack: XTModel {
  var playlistID = 0
  var trackID = 0

  static var xt_columnNames: XTNameMap {
    [\PlaylistTrack.playlistID: "PlaylistId", \PlaylistTrack.trackID: "TrackId"]
  }
  static var xt_primaryKey: XTKeyPaths { [\PlaylistTrack.playlistID, \PlaylistTrack.trackID] }
}
