// error: requires that 'XTWindow<Int>' conform to 'XTExpressible'
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func numbers() throws -> [Int] {
  try Person.xt_select(XTWindow.rowNumber())
}
