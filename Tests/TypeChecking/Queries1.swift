import Foundation
import XTLite

func queries0() throws {
  _ = try M.xt_findWhere(M.xt.age * 1 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b0"]))
  _ = try M.xt_findWhere(M.xt.age * 2 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b1"]))
  _ = try M.xt_findWhere(M.xt.age * 3 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b2"]))
  _ = try M.xt_findWhere(M.xt.age * 4 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b3"]))
  _ = try M.xt_findWhere(M.xt.age * 5 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b4"]))
  _ = try M.xt_findWhere(M.xt.age * 6 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b5"]))
  _ = try M.xt_findWhere(M.xt.age * 7 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b6"]))
  _ = try M.xt_findWhere(M.xt.age * 8 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b7"]))
  _ = try M.xt_findWhere(M.xt.age * 9 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b8"]))
  _ = try M.xt_findWhere(M.xt.age * 10 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b9"]))
  _ = try M.xt_findWhere(M.xt.age * 11 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b10"]))
  _ = try M.xt_findWhere(M.xt.age * 12 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b11"]))
  _ = try M.xt_findWhere(M.xt.age * 13 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b12"]))
  _ = try M.xt_findWhere(M.xt.age * 14 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b13"]))
  _ = try M.xt_findWhere(M.xt.age * 15 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b14"]))
  _ = try M.xt_findWhere(M.xt.age * 16 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b15"]))
  _ = try M.xt_findWhere(M.xt.age * 17 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b16"]))
  _ = try M.xt_findWhere(M.xt.age * 18 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b17"]))
  _ = try M.xt_findWhere(M.xt.age * 19 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b18"]))
  _ = try M.xt_findWhere(M.xt.age * 20 + 1 > M.xt.limit && M.xt.name.lower().in(["a", "b19"]))
}

func queries1() throws {
  _ = try M.xt_findWhere(
    \.age > 0 && M.xt.content.isNotNull && M.xt.score < 0.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 1)
  _ = try M.xt_findWhere(
    \.age > 1 && M.xt.content.isNotNull && M.xt.score < 1.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 2)
  _ = try M.xt_findWhere(
    \.age > 2 && M.xt.content.isNotNull && M.xt.score < 2.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 3)
  _ = try M.xt_findWhere(
    \.age > 3 && M.xt.content.isNotNull && M.xt.score < 3.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 4)
  _ = try M.xt_findWhere(
    \.age > 4 && M.xt.content.isNotNull && M.xt.score < 4.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 5)
  _ = try M.xt_findWhere(
    \.age > 5 && M.xt.content.isNotNull && M.xt.score < 5.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 6)
  _ = try M.xt_findWhere(
    \.age > 6 && M.xt.content.isNotNull && M.xt.score < 6.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 7)
  _ = try M.xt_findWhere(
    \.age > 7 && M.xt.content.isNotNull && M.xt.score < 7.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 8)
  _ = try M.xt_findWhere(
    \.age > 8 && M.xt.content.isNotNull && M.xt.score < 8.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 9)
  _ = try M.xt_findWhere(
    \.age > 9 && M.xt.content.isNotNull && M.xt.score < 9.5, orderBy: .desc(M.xt.age + M.xt.count),
    limit: 10)
  _ = try M.xt_findWhere(
    \.age > 10 && M.xt.content.isNotNull && M.xt.score < 10.5,
    orderBy: .desc(M.xt.age + M.xt.count), limit: 11)
  _ = try M.xt_findWhere(
    \.age > 11 && M.xt.content.isNotNull && M.xt.score < 11.5,
    orderBy: .desc(M.xt.age + M.xt.count), limit: 12)
  _ = try M.xt_findWhere(
    \.age > 12 && M.xt.content.isNotNull && M.xt.score < 12.5,
    orderBy: .desc(M.xt.age + M.xt.count), limit: 13)
  _ = try M.xt_findWhere(
    \.age > 13 && M.xt.content.isNotNull && M.xt.score < 13.5,
    orderBy: .desc(M.xt.age + M.xt.count), limit: 14)
  _ = try M.xt_findWhere(
    \.age > 14 && M.xt.content.isNotNull && M.xt.score < 14.5,
    orderBy: .desc(M.xt.age + M.xt.count), limit: 15)
  _ =
    M.xt.age > 0 && M.xt.age < 10 && M.xt.content != nil && M.xt.name >= "a0"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 1 && M.xt.age < 11 && M.xt.content != nil && M.xt.name >= "a1"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 2 && M.xt.age < 12 && M.xt.content != nil && M.xt.name >= "a2"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 3 && M.xt.age < 13 && M.xt.content != nil && M.xt.name >= "a3"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 4 && M.xt.age < 14 && M.xt.content != nil && M.xt.name >= "a4"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
}

func queries2() throws {
  _ =
    M.xt.age > 5 && M.xt.age < 15 && M.xt.content != nil && M.xt.name >= "a5"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 6 && M.xt.age < 16 && M.xt.content != nil && M.xt.name >= "a6"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 7 && M.xt.age < 17 && M.xt.content != nil && M.xt.name >= "a7"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 8 && M.xt.age < 18 && M.xt.content != nil && M.xt.name >= "a8"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 9 && M.xt.age < 19 && M.xt.content != nil && M.xt.name >= "a9"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 10 && M.xt.age < 20 && M.xt.content != nil && M.xt.name >= "a10"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 11 && M.xt.age < 21 && M.xt.content != nil && M.xt.name >= "a11"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 12 && M.xt.age < 22 && M.xt.content != nil && M.xt.name >= "a12"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 13 && M.xt.age < 23 && M.xt.content != nil && M.xt.name >= "a13"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ =
    M.xt.age > 14 && M.xt.age < 24 && M.xt.content != nil && M.xt.name >= "a14"
    && M.xt.rate == M.xt.score && (M.xt.count + 2) * 3 % 7 == 1 || M.xt.name == "z"
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 0,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 1,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 2,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 3,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 4,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 5,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 6,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 7,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 8,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 9,
    orderBy: .desc(M.xt.pkid.count()))
}

func queries3() throws {
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 10,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 11,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 12,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 13,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try M.xt_select(
    M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 14,
    orderBy: .desc(M.xt.pkid.count()))
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 0)
    .orderBy(.desc(Order.xt.total)).limit(0).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 1)
    .orderBy(.desc(Order.xt.total)).limit(1).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 2)
    .orderBy(.desc(Order.xt.total)).limit(2).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 3)
    .orderBy(.desc(Order.xt.total)).limit(3).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 4)
    .orderBy(.desc(Order.xt.total)).limit(4).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 5)
    .orderBy(.desc(Order.xt.total)).limit(5).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 6)
    .orderBy(.desc(Order.xt.total)).limit(6).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 7)
    .orderBy(.desc(Order.xt.total)).limit(7).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 8)
    .orderBy(.desc(Order.xt.total)).limit(8).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 9)
    .orderBy(.desc(Order.xt.total)).limit(9).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 10)
    .orderBy(.desc(Order.xt.total)).limit(10).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 11)
    .orderBy(.desc(Order.xt.total)).limit(11).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 12)
    .orderBy(.desc(Order.xt.total)).limit(12).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 13)
    .orderBy(.desc(Order.xt.total)).limit(13).all()
  _ = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).where(User.xt.age > 14)
    .orderBy(.desc(Order.xt.total)).limit(14).all()
}

func queries4() throws {
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 0)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 1)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 2)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 3)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 4)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 5)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 6)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 7)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 8)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 9)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 10)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 11)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 12)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 13)
  _ = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).select(
    Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name, orderBy: .asc(User.xt.name),
    limit: 14)
  _ = try M.xt_updateWhere(
    \.localID == 0, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 0),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_updateWhere(
    \.localID == 1, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 1),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_updateWhere(
    \.localID == 2, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 2),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_updateWhere(
    \.localID == 3, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 3),
    .set(\.name, to: M.xt.name + "x"))
  _ = try M.xt_updateWhere(
    \.localID == 4, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 4),
    .set(\.name, to: M.xt.name + "x"))
}
