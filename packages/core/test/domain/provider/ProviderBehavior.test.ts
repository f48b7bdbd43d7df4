import { describe, expect, it } from "vitest"
import { behaviorAfter, providerBehaviors, requestedWait } from "../../../src/domain/provider/ProviderBehavior.ts"
import {
  gone,
  notConfigured,
  outcomeUnknown,
  type ProviderFailure,
  refused,
  signedOut,
  unavailable
} from "../../../src/domain/provider/ProviderFailure.ts"

const cases: ReadonlyArray<readonly [behavior: string, failure: ProviderFailure]> = [
  ["give_up", refused("sms", "21610", { status: 400, code: "21610", about: "opted_out" })],
  ["give_up", gone("crm", "contact")],
  ["retry", unavailable("mail", "503", { retryAfterMillis: 7_000 })],
  ["retry", notConfigured("payments", "LEADLOOM_STRIPE_SECRET_KEY")],
  ["resolve", outcomeUnknown("voice", "the connection was lost")],
  ["sign_out", signedOut("mail", "401")]
]

describe("the behavior of workers after a failure", () => {
  it.each(cases)("is %s: %o", (behavior, failure) => {
    expect(behaviorAfter(failure)).toBe(behavior)
  })

  it("has a case for every reason", () => {
    const covered = new Set(cases.map(([, { reason }]) => reason._tag))
    expect([...covered].toSorted()).toEqual(Object.keys(providerBehaviors).toSorted())
  })

  it("waits as long as the provider requests, and only before a retry", () => {
    expect(cases.map(([, failure]) => requestedWait(failure))).toEqual([null, null, 7_000, null, null, null])
  })

  it("never repeats a request whose outcome is unknown", () => {
    const repeated = Object.entries(providerBehaviors).filter(([, behavior]) => behavior === "retry")
    expect(repeated.map(([reason]) => reason).toSorted()).toEqual(["NotConfigured", "Unavailable"])
  })
})

describe("a failure", () => {
  it("describes itself for people", () => {
    expect(gone("crm", "contact").message).toBe("the CRM has no such contact")
    expect(notConfigured("crm", "LEADLOOM_CRM_CLIENT_ID").message).toBe("LEADLOOM_CRM_CLIENT_ID is not set")
    expect(refused("mail", "550 no").message).toBe("550 no")
  })
})
