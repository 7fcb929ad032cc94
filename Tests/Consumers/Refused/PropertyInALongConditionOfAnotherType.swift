// error: the value is not of the property's type
import XTLite

struct Note: XTModel {
  var title = ""
  var text = ""
  var stars = 0
  var views = 0
}

func find() throws -> [Note] {
  try Note.xt_findWhere(
    \.stars > 3 || \.title == "a" || \.views == "x" || \.text == "b" || \.stars < 0 || \.views > 9)
}
