import { Time } from "@leadloom/core/domain/Field"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { computed, wire } from "../src/schema/Wire.ts"

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
