// error: requires that 'String' conform to 'XTSummable'
import XTLite

struct Person: XTModel {
  var name = ""
}

func sum() throws {
  _ = try Person.xt_sumOf(\.name)
}
