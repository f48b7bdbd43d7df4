import { describe, expect, it } from "vitest"
import { needsUtf8, wireAddress } from "../../src/smtp/WireAddress.ts"

describe("an address in the envelope", () => {
  it.each([
    ["jo@customer.example", "jo@customer.example", false],
    ["kim@müller.example", "kim@xn--mller-kva.example", false],
    ["kim@xn--mller-kva.example", "kim@xn--mller-kva.example", false],
    ["jürgen@müller.example", "jürgen@müller.example", true],
    ["jürgen@customer.example", "jürgen@customer.example", true],
    ["no address", "no address", false]
  ])("%s is sent as %s, and needs SMTPUTF8: %s", (email, wire, utf8) => {
    expect([wireAddress(email), needsUtf8(email)]).toEqual([wire, utf8])
  })
})
