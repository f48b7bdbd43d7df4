import { describe, expect, it } from "vitest"
import { normalizeMessageId } from "../../../src/domain/email/MessageId.ts"
import { backoffMillis } from "../../../src/domain/time/Retry.ts"
import { handOverMillis, ownMessageId, sendLeaseMillis } from "../../../src/domain/sending/Reservation.ts"

describe("a reservation", () => {
  it("derives a Message-ID that is unchanged by normalisation", () => {
    const id = ownMessageId("snd_01kaa0000000000000000000zz", "acme.com")
    expect(id).toBe("01kaa0000000000000000000zz@acme.com")
    expect(normalizeMessageId(`<${id}>`)).toBe(id)
  })

  it("has a lease longer than any transmission", () => {
    expect(handOverMillis).toBeLessThan(sendLeaseMillis)
  })

  it("waits 5 s and doubles the wait up to 15 minutes", () => {
    expect([1, 2, 3, 8, 9, 100].map(backoffMillis)).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000])
  })
})
