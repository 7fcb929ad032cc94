import Foundation
import XTLite

func queries5() throws {
  _ = try M.xt_updateWhere(
    \.localID == 5, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 5),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_updateWhere(
    \.localID == 6, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 6),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_updateWhere(
    \.localID == 7, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 7),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_updateWhere(
    \.localID == 8, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 8),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_updateWhere(
    \.localID == 9, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 9),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(0, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 0]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(1, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 1]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(2, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 2]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(3, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 3]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(4, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 4]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(5, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 5]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(6, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 6]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(7, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 7]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(8, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 8]))
  _ = try M.xt_deleteModelWhere(
    M.xt.localID.between(9, 20) || M.xt.content.like("Hello%") || M.xt.age.in([1, 2, 9]))
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[0]", as: String.self) != nil)
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[1]", as: String.self) != nil)
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[2]", as: String.self) != nil)
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[3]", as: String.self) != nil)
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[4]", as: String.self) != nil)
}

func queries6() throws {
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[5]", as: String.self) != nil)
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[6]", as: String.self) != nil)
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[7]", as: String.self) != nil)
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[8]", as: String.self) != nil)
  _ = try M.xt_findWhere(
    M.xt.home.json("$.city", as: String.self) == "上海"
      || M.xt.tags.json("$[9]", as: String.self) != nil)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 0, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 0 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 1, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 1 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 2, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 2 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 3, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 3 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 4, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 4 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 5, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 5 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 6, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 6 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 7, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 7 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 8, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 8 > 3)
  _ = try M.xt_select(
    XTCase(when: M.xt.age < 9, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
    M.xt.age.avg(), M.xt.rate.max(), where: M.xt.age + 9 > 3)
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(0), .currentRow)))
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(1), .currentRow)))
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(2), .currentRow)))
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(3), .currentRow)))
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(4), .currentRow)))
}

func queries7() throws {
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(5), .currentRow)))
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(6), .currentRow)))
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(7), .currentRow)))
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(8), .currentRow)))
  _ = try M.xt_select(
    M.xt.name, XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age)),
    M.xt.age.sum().over(orderBy: .asc(M.xt.localID), frame: .rows(.preceding(9), .currentRow)))
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 0.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 1.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 2.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 3.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 4.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 5.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 6.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 7.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 8.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().where(
    User.xt.pkid.in(Order.xt_query().where(Order.xt.total > 9.5).columns(Order.xt.userID.optional))
  ).orderBy(.asc(\.name)).columns(User.xt.name, User.xt.age).all().map { $0.0 }
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(0).all()
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(1).all()
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(2).all()
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(3).all()
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(4).all()
}

func queries8() throws {
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(5).all()
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(6).all()
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(7).all()
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(8).all()
  _ = try User.xt_query().columns(User.xt.name, User.xt.age).union(
    M.xt_query().columns(M.xt.name, M.xt.age)
  ).orderBy(.asc(\.name)).limit(9).all()
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 0), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 1), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 2), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 3), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 4), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 5), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 6), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 7), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 8), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.createTime.year(), M.xt.createTime.month(), M.xt.countAll(),
    where: M.xt.createTime > Date(timeIntervalSince1970: 9), groupBy: M.xt.createTime.year(),
    M.xt.createTime.month())
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(0),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(1),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(2),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(3),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(4),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
}

func queries9() throws {
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(5),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(6),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(7),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(8),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try M.xt_select(
    M.xt.name.lower() + "@" + M.xt.city.upper(), (M.xt.score * 2 - 0.5).round(9),
    M.xt.name.length() + M.xt.count, -M.xt.age, where: !(M.xt.flag == true) && M.xt.kind == .special
  )
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).leftJoin(
    City.self, on: City.xt.userID == User.xt.pkid && City.xt.name != "x0"
  ).all().map { ($0.0.total, $0.1.name, $0.2?.name) }
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).leftJoin(
    City.self, on: City.xt.userID == User.xt.pkid && City.xt.name != "x1"
  ).all().map { ($0.0.total, $0.1.name, $0.2?.name) }
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).leftJoin(
    City.self, on: City.xt.userID == User.xt.pkid && City.xt.name != "x2"
  ).all().map { ($0.0.total, $0.1.name, $0.2?.name) }
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).leftJoin(
    City.self, on: City.xt.userID == User.xt.pkid && City.xt.name != "x3"
  ).all().map { ($0.0.total, $0.1.name, $0.2?.name) }
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).leftJoin(
    City.self, on: City.xt.userID == User.xt.pkid && City.xt.name != "x4"
  ).all().map { ($0.0.total, $0.1.name, $0.2?.name) }
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).leftJoin(
    City.self, on: City.xt.userID == User.xt.pkid && City.xt.name != "x5"
  ).all().map { ($0.0.total, $0.1.name, $0.2?.name) }
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).leftJoin(
    City.self, on: City.xt.userID == User.xt.pkid && City.xt.name != "x6"
  ).all().map { ($0.0.total, $0.1.name, $0.2?.name) }
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).leftJoin(
    City.self, on: City.xt.userID == User.xt.pkid && City.xt.name != "x7"
  ).all().map { ($0.0.total, $0.1.name, $0.2?.name) }
  _ = try User.xt_findWhere(
    User.xt.age == User.xt_query().columns(User.xt.age.max()).scalar
      && XTPredicate.exists(
        Order.xt_query().where(Order.xt.userID == User.xt.pkid && Order.xt.total > 0))
  )
  _ = try User.xt_findWhere(
    User.xt.age == User.xt_query().columns(User.xt.age.max()).scalar
      && XTPredicate.exists(
        Order.xt_query().where(Order.xt.userID == User.xt.pkid && Order.xt.total > 1))
  )
  _ = try User.xt_findWhere(
    User.xt.age == User.xt_query().columns(User.xt.age.max()).scalar
      && XTPredicate.exists(
        Order.xt_query().where(Order.xt.userID == User.xt.pkid && Order.xt.total > 2))
  )
  _ = try User.xt_findWhere(
    User.xt.age == User.xt_query().columns(User.xt.age.max()).scalar
      && XTPredicate.exists(
        Order.xt_query().where(Order.xt.userID == User.xt.pkid && Order.xt.total > 3))
  )
  _ = try User.xt_findWhere(
    User.xt.age == User.xt_query().columns(User.xt.age.max()).scalar
      && XTPredicate.exists(
        Order.xt_query().where(Order.xt.userID == User.xt.pkid && Order.xt.total > 4))
  )
  _ = try User.xt_findWhere(
    User.xt.age == User.xt_query().columns(User.xt.age.max()).scalar
      && XTPredicate.exists(
        Order.xt_query().where(Order.xt.userID == User.xt.pkid && Order.xt.total > 5))
  )
  _ = try User.xt_findWhere(
    User.xt.age == User.xt_query().columns(User.xt.age.max()).scalar
      && XTPredicate.exists(
        Order.xt_query().where(Order.xt.userID == User.xt.pkid && Order.xt.total > 6))
  )
}
