import { Time } from "@leadloom/core/internal/domain/Field"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { changeRequest, computed, wire } from "../src/schema/Wire.ts"

const Badge = Schema.Struct({
  badgeId: Schema.String,
  ownerName: Schema.NullOr(Schema.String.check(Schema.isMaxLength(5))),
  hash: Schema.String.annotate({ secret: true }),
  issuedAt: Time
})

const badge = { badgeId: "b1", ownerName: "Too long for a request", hash: "f00", issuedAt: 0 }

describe("the JSON of a noun", () => {
  it("has the listed fields in snake case, with times as ISO 8601 and without limits of requests", () => {
    const { schema, toJson } = wire(Badge, "Badge", { id: "badgeId", pick: ["badgeId", "ownerName", "issuedAt"] })
    const json = { id: "b1", owner_name: "Too long for a request", issued_at: "1970-01-01T00:00:00.000Z" }
    expect(toJson(badge)).toEqual(json)
    expect(Schema.decodeUnknownSync(schema)(json)).toEqual(json)
  })

  it("needs a list of the shown fields if the noun has secrets, and never contains a secret", () => {
    expect(() => wire(Badge, "Badge", {})).toThrow(/must list its shown fields, without hash/u)
    expect(() => wire(Badge, "Badge", { omit: ["hash"] })).toThrow(/must list its shown fields/u)
    expect(() => wire(Badge, "Badge", { pick: ["badgeId", "hash"] })).toThrow(/without hash/u)
  })
})

describe("a request that sets fields of a noun", () => {
  const { fromJson, schema } = changeRequest(Badge, "UpdateBadge", "Fields to change", {
    ownerName: {},
    issuedAt: {},
    badgeId: { schema: Schema.Literals(["b1", "b2"]) }
  })
  const decode = Schema.decodeUnknownSync(schema)

  it("may contain each field, with the limits of the noun or the given schema", () => {
    expect(fromJson(decode({}))).toEqual({})
    expect(fromJson(decode({ owner_name: null, badge_id: "b2" }))).toEqual({ ownerName: null, badgeId: "b2" })
    expect(fromJson(decode({ issued_at: "1970-01-01T00:00:01Z" }))).toEqual({ issuedAt: 1_000 })
    expect(() => decode({ owner_name: "Too long" })).toThrow(/owner_name/u)
    expect(() => decode({ badge_id: "b3" })).toThrow(/badge_id/u)
  })
})

class Parcel extends Schema.Opaque<Parcel>()(
  Schema.Struct({
    parcelId: Schema.String,
    tenantId: Schema.String,
    sentTo: Schema.NullOr(Schema.String),
    sentAt: Time,
    arrivedAt: Schema.NullOr(Time),
    secret: Schema.String
  })
) {}

const parcel: Parcel = {
  parcelId: "parcel_1",
  tenantId: "acme",
  sentTo: null,
  sentAt: 1_772_357_400_000,
  arrivedAt: null,
  secret: "hidden"
}

describe("wire", () => {
  const { schema, toJson } = wire(Parcel, "Parcel", {
    id: "parcelId",
    omit: ["tenantId", "secret"],
    names: { sentTo: "recipient" },
    computed: { arrived: computed(Schema.Boolean, ({ arrivedAt }) => arrivedAt !== null) }
  })

  it("writes shown and computed fields, and times as ISO 8601", () => {
    expect(toJson(parcel)).toEqual({
      id: "parcel_1",
      recipient: null,
      sent_at: "2026-03-01T09:30:00.000Z",
      arrived_at: null,
      arrived: false
    })
    expect(toJson({ ...parcel, arrivedAt: 1_772_357_400_001 })).toMatchObject({
      arrived_at: "2026-03-01T09:30:00.001Z",
      arrived: true
    })
  })

  it("writes JSON that its schema accepts", () => {
    const decode = Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })
    expect(decode(toJson(parcel))).toEqual(toJson(parcel))
  })

  it("reads only the picked fields of a record", () => {
    const part = wire(Parcel, null, { pick: ["sentAt"], names: { sentAt: "at" } })
    expect(part.toJson({ sentAt: 0 })).toEqual({ at: "1970-01-01T00:00:00.000Z" })
    expect(Object.keys(part.schema.fields)).toEqual(["at"])
  })
})
