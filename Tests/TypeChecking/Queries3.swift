import XTLite

// Lines of many operators, each of another shape: what nests, what may be nil, values on either side.

func arithmetic() throws {
  _ = M.xt.rate * 2 + 1 - M.xt.rate / 3 + M.xt.rate * M.xt.rate - 4 > 3
  _ =
    (M.xt.score - M.xt.rate) * (M.xt.score - M.xt.rate) + (M.xt.score - 1) * (M.xt.score - 1) < 100
  _ = (M.xt.score - 1.5) * (M.xt.score - 1.5) + (M.xt.score - 2.5) * (M.xt.score - 2.5) < 100
  _ = 2 * M.xt.age + 3 * M.xt.limit - 4 * M.xt.count < 100
  _ = M.xt.name + " " + M.xt.city + " " + M.xt.name + " " + M.xt.city
  _ = 18 < M.xt.age && M.xt.age < 65 && M.xt.score * 2 + 1 > 3 && M.xt.name + "x" == "y"
}

func conditions() throws {
  _ = try M.xt_findWhere(
    (M.xt.age + M.xt.limit * 3 - M.xt.count % 7) * 2 + M.xt.name.length() > 3
      && M.xt.age * M.xt.limit + 3 < 5)
  _ = try M.xt_findWhere(
    M.xt.age * M.xt.limit - M.xt.count * 2 > 100 - M.xt.age
      && M.xt.score * M.xt.rate + 1 < M.xt.score - M.xt.rate)
  _ = try M.xt_findWhere(
    (M.xt.age + M.xt.limit) * 2 - 1 > 3 && (M.xt.name.length() + M.xt.age) * 2 - 1 < 5)
  _ = try M.xt_findWhere(
    M.xt.rate * 2 + M.xt.score - 1 > M.xt.rate && M.xt.score + M.xt.rate < 3
      && M.xt.rate - M.xt.rate == 0)
  _ = try M.xt_findWhere(
    100 - M.xt.age * 2 + (3 - M.xt.limit) * 2 > 5
      && 2 * M.xt.age + 3 * M.xt.limit - 4 * M.xt.count < 100 - M.xt.age)
  _ = try M.xt_findWhere(
    "a" + M.xt.name + "b" + M.xt.city + "c" == "x" && "x" + M.xt.content + "y" + M.xt.name == "z")
  _ = try M.xt_findWhere(
    M.xt.rate * 2 + 1 - M.xt.rate / 3 + M.xt.rate * M.xt.rate - 4 > 3 && M.xt.rate != nil
      || M.xt.rate == 3)
}

func lists() throws {
  _ = try M.xt_select(
    M.xt.age * 2 + 1, M.xt.limit - M.xt.count, M.xt.count % 3, M.xt.score * 2, M.xt.rate - 1)
  _ = try M.xt_select(
    M.xt.age * 2, M.xt.limit - 1, M.xt.count + 3, M.xt.score * 2, M.xt.rate - 1)
  _ = try M.xt_select(
    M.xt.age * 2 + 1, M.xt.limit - M.xt.count, M.xt.name + "1", M.xt.count % 3, M.xt.score * 2,
    M.xt.rate - 1, M.xt.age + M.xt.limit, M.xt.age - 1)
  _ = try M.xt_select(
    M.xt.age.sum().ifnull(0) * 100 / M.xt.countAll().cast(to: Int64.self),
    2 * M.xt.age.max() - M.xt.age.min(), groupBy: M.xt.city)
}
