import XTLite

let trackQuestions: [Question] = [
  Question(
    title: "The ten longest tracks",
    sql: "SELECT Name, Milliseconds FROM Track ORDER BY Milliseconds DESC LIMIT 10"
  ) {
    try Track.xt_select(
      Track.xt.name, Track.xt.milliseconds, orderBy: .desc(\.milliseconds), limit: 10
    ).map { line($0.0, $0.1) }
  },
  Question(
    title: "The artists with the most albums",
    sql: """
      SELECT ar.Name, count(*) FROM Album al JOIN Artist ar ON ar.ArtistId = al.ArtistId
      GROUP BY ar.ArtistId ORDER BY count(*) DESC, ar.Name LIMIT 5
      """
  ) {
    try Album.xt_join(Artist.self, on: Artist.xt.artistID == Album.xt.artistID)
      .select(
        Artist.xt.name, Album.xt.countAll(), groupBy: Artist.xt.artistID,
        orderBy: .desc(Album.xt.countAll()), .asc(Artist.xt.name), limit: 5
      ).map { line($0.0, $0.1) }
  },
  Question(
    title: "How many artists have no album",
    sql: """
      SELECT count(*) FROM Artist ar LEFT JOIN Album al ON al.ArtistId = ar.ArtistId
      WHERE al.AlbumId IS NULL
      """
  ) {
    let count = try Artist.xt_leftJoin(Album.self, on: Album.xt.artistID == Artist.xt.artistID)
      .where(Album.xt.albumID.isNull).count()
    return [line(count)]
  },
  Question(
    title: "Each genre's tracks, average length in seconds and share of the long ones",
    sql: """
      SELECT g.Name, count(*), round(avg(t.Milliseconds) / 1000, 1),
      round(total(CASE WHEN t.Milliseconds > 300000 THEN 1 ELSE 0 END) / count(*), 3)
      FROM Track t JOIN Genre g ON g.GenreId = t.GenreId
      GROUP BY g.GenreId HAVING count(*) > 100 ORDER BY count(*) DESC
      """
  ) {
    let isLong = XTCase(when: Track.xt.milliseconds > 300_000, then: 1).else(0)
    let count = Track.xt.countAll()
    let seconds = (Track.xt.milliseconds.avg() / 1000).round(1)
    let share = (isLong.total() / count.cast(to: Double.self)).round(3)
    return try Track.xt_join(Genre.self, on: Genre.xt.genreID == Track.xt.genreID)
      .columns(Genre.xt.name, count, seconds, share).groupBy(Genre.xt.genreID)
      .having(count > 100).orderBy(.desc(count)).all().map { line($0.0, $0.1, $0.2, $0.3) }
  },
  Question(
    title: "How many tracks nobody ever bought",
    sql: """
      SELECT count(*) FROM Track t
      WHERE NOT EXISTS (SELECT 1 FROM InvoiceLine l WHERE l.TrackId = t.TrackId)
      """
  ) {
    let sales = InvoiceLine.xt_query().where(InvoiceLine.xt.trackID == Track.xt.trackID)
    return [line(try Track.xt_countWhere(XTPredicate.notExists(sales)))]
  },
  Question(
    title: "Each playlist's tracks and hours",
    sql: """
      SELECT p.Name, count(t.TrackId), round(ifnull(sum(t.Milliseconds), 0) / 3600000.0, 2)
      FROM Playlist p LEFT JOIN PlaylistTrack pt ON pt.PlaylistId = p.PlaylistId
      LEFT JOIN Track t ON t.TrackId = pt.TrackId
      GROUP BY p.PlaylistId ORDER BY p.PlaylistId
      """
  ) {
    let hours = Track.xt.milliseconds.sum().ifnull(0).cast(to: Double.self) / 3_600_000
    return try Playlist.xt_leftJoin(
      PlaylistTrack.self, on: PlaylistTrack.xt.playlistID == Playlist.xt.playlistID
    )
    .leftJoin(Track.self, on: Track.xt.trackID == PlaylistTrack.xt.trackID)
    .columns(Playlist.xt.name, Track.xt.trackID.count(), hours.round(2))
    .groupBy(Playlist.xt.playlistID).orderBy(.asc(\.playlistID)).all()
    .map { line($0.0, $0.1, $0.2) }
  },
  Question(
    title: "Media types by size in megabytes",
    sql: """
      SELECT m.Name, sum(t.Bytes) / 1048576 FROM MediaType m
      JOIN Track t ON t.MediaTypeId = m.MediaTypeId GROUP BY m.MediaTypeId ORDER BY 2 DESC
      """
  ) {
    let size = Track.xt.bytes.sum() / 1_048_576
    return try MediaType.xt_join(
      Track.self, on: Track.xt.mediaTypeID == MediaType.xt.mediaTypeID
    )
    .columns(MediaType.xt.name, size).groupBy(MediaType.xt.mediaTypeID).orderBy(.desc(size)).all()
    .map { line($0.0, $0.1) }
  },
  Question(
    title: "The third page of twenty tracks by composer, those without one last",
    sql: """
      SELECT TrackId, Composer FROM Track ORDER BY Composer IS NULL, Composer, TrackId
      LIMIT 20 OFFSET 40
      """
  ) {
    let tracks = Track.xt_query().orderBy(.asc(\.composer, nulls: .last))
    let first = try tracks.page(20)
    let second = try tracks.page(20, after: first.last)
    return try tracks.page(20, after: second.last).map { line($0.trackID, $0.composer) }
  },
  Question(
    title: "The two best-selling tracks of each of the first five genres",
    sql: """
      WITH sales (genre, track, sold) AS (
      SELECT t.GenreId, t.Name, sum(l.Quantity) FROM InvoiceLine l
      JOIN Track t ON t.TrackId = l.TrackId GROUP BY t.TrackId),
      ranked (genre, track, sold, place) AS (
      SELECT genre, track, sold,
      row_number() OVER (PARTITION BY genre ORDER BY sold DESC, track) FROM sales)
      SELECT g.Name, track, sold FROM ranked JOIN Genre g ON g.GenreId = genre
      WHERE place <= 2 AND g.GenreId <= 5 ORDER BY g.GenreId, place
      """
  ) {
    let (sales, ranked) = (XTTableName("sales"), XTTableName("ranked"))
    let sold = XTCommonTable(
      sales, columns: "genre", "track", "sold",
      as: InvoiceLine.xt_join(Track.self, on: Track.xt.trackID == InvoiceLine.xt.trackID)
        .columns(Track.xt.genreID, Track.xt.name, InvoiceLine.xt.quantity.sum())
        .groupBy(Track.xt.trackID))
    let genre = sales.column("genre", as: Int?.self)
    let track = sales.column("track", as: String.self)
    let count = sales.column("sold", as: Int64?.self)
    let place = XTWindow.rowNumber().over(
      partitionBy: genre, orderBy: .desc(count), .asc(track))
    let places = XTCommonTable(
      ranked, columns: "genre", "track", "sold", "place",
      as: sales.query().columns(genre, track, count, place))
    let rank = ranked.column("place", as: Int.self)
    return try Genre.xt_query().with(sold, places)
      .join(ranked, on: Genre.xt.genreID == ranked.column("genre", as: Int?.self))
      .where(rank <= 2 && Genre.xt.genreID <= 5)
      .orderBy(.asc(\.genreID), .asc(rank))
      .columns(
        Genre.xt.name, ranked.column("track", as: String.self),
        ranked.column("sold", as: Int.self)
      ).all().map { line($0.0, $0.1, $0.2) }
  },
  Question(
    title: "Tracks whose name has a percent sign or an underscore",
    sql: """
      SELECT Name FROM Track WHERE Name LIKE '%\\%%' ESCAPE '\\' OR Name LIKE '%\\_%' ESCAPE '\\'
      ORDER BY TrackId
      """
  ) {
    func has(_ text: String) -> XTPredicate {
      Track.xt.name.like("%" + text.xt_escapedForLike + "%", escape: "\\")
    }
    return try Track.xt_select(
      Track.xt.name, where: has("%") || has("_"), orderBy: .asc(\.trackID))
  },
]
