// error: 'like(_:escape:)' is unavailable: a text is compared with a pattern
import XTLite

struct Note: XTModel {
  var title = ""
  var stars = 0
  var views = 0
}

func find() throws -> [Note] {
  try Note.xt_findWhere(Note.xt.title.like(5) && Note.xt.stars * 2 > 3 && Note.xt.views - 1 < 7)
}
