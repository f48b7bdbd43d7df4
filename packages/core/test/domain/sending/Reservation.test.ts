import { describe, expect, it } from "vitest"
import { normalizeMessageId } from "../../../src/domain/email/MessageId.ts"
import { backoffMillis } from "../../../src/domain/time/Retry.ts"
import { handOverMillis, ownMessageId, sendLeaseMillis } from "../../../src/domain/sending/Reservation.ts"

describe("a reservation", () => {
  it("derives a Message-ID that reads back as itself", () => {
    const id = ownMessageId("snd_01kaa0000000000000000000zz", "acme.com")
    expect(id).toBe("01kaa0000000000000000000zz@acme.com")
    expect(normalizeMessageId(`<${id}>`)).toBe(id)
  })

  it("is held longer than a hand-over can take", () => {
    expect(handOverMillis).toBeLessThan(sendLeaseMillis)
  })

  it("waits 5 s, doubling to a quarter of an hour", () => {
    expect([1, 2, 3, 8, 9, 100].map(backoffMillis)).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000])
  })
})
