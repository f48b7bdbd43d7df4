import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { authenticationResults } from "../../../../src/domain/email/authentication/AuthenticationResult.ts"
import {
  readAuthentication,
  verifiedAuthentication
} from "../../../../src/domain/email/authentication/ReadAuthentication.ts"
import type { VerifiedMail } from "../../../../src/domain/email/authentication/VerifiedMail.ts"

const trusted = (id: string): boolean => id === "mx.acme.com"

const read = (from: ReadonlyArray<string>, ...fields: ReadonlyArray<string>) =>
  readAuthentication(
    {
      from: from.map((email) => ({ email, name: null })),
      headers: fields.map((value) => ({ name: "authentication-results", value }))
    },
    trusted
  )

const jane = ["jane@mail.customer.example"]

describe("readAuthentication", () => {
  it("reads the results of a trusted server, without its comments", () => {
    const field =
      'mx.acme.com 1; spf=softfail (a; comment (nested) spf=pass) smtp.mailfrom="x@other.example"; ' +
      "dkim=fail header.d=a.example; dkim=pass (2048-bit key) header.d=customer.example header.s=s1; " +
      "dmarc=pass header.from=customer.example; arc=none"
    expect(read(jane, field)).toEqual({
      authentication: {
        spf: "softfail",
        dkim: "pass",
        dmarc: "pass",
        arc: "none",
        fromDomainAligned: true,
        verifiedBy: "mx.acme.com"
      },
      rejected: false
    })
  })

  it.each([
    ["a signature of another domain", "dkim=pass header.d=evil.example", false],
    ["a failed signature of the domain", "dkim=fail header.d=customer.example", false],
    ["a signature by its agent", "dkim=pass header.i=@news.customer.example", true],
    ["SPF of the domain", "spf=pass smtp.mailfrom=bounce@customer.example", true],
    ["SPF of another domain", "spf=pass smtp.mailfrom=bounce@evil.example", false],
    ["a passed method without a domain", "dkim=pass", false],
    ["an unknown result", "dkim=excellent header.d=customer.example", false]
  ])("decides the alignment by %s", (_, result, aligned) => {
    expect(read(jane, `mx.acme.com; ${result}`).authentication?.fromDomainAligned).toBe(aligned)
  })

  it("requires the alignment of every sender address", () => {
    const field = "mx.acme.com; dkim=pass header.d=customer.example"
    expect(read([...jane, "x@evil.example"], field).authentication?.fromDomainAligned).toBe(false)
    expect(read([], field).authentication?.fromDomainAligned).toBe(false)
  })

  it("ignores all fields below the topmost one, and results of unknown servers", () => {
    const good = "mx.acme.com; dmarc=pass header.from=customer.example"
    expect(read(jane, "mx.evil.example; dmarc=none", good)).toEqual({ authentication: null, rejected: false })
    expect(read(jane, "mx.evil.example; dmarc=fail", good)).toEqual({ authentication: null, rejected: true })
    expect(read(jane)).toEqual({ authentication: null, rejected: false })
  })

  it("never throws, and yields known results only", () => {
    const part = fc.constantFrom(
      "mx.acme.com",
      ";",
      "=",
      "(",
      ")",
      '"',
      " ",
      "dkim",
      "pass",
      "header.d",
      "\\",
      "\t",
      "é"
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const { authentication } = read(jane, `mx.acme.com;${parts.join("")}`)
        expect(authenticationResults).toContain(authentication?.dkim)
      })
    )
  })
})

describe("verifiedAuthentication", () => {
  const verified = (more: Partial<VerifiedMail> = {}): VerifiedMail => ({
    spf: { result: "fail", domain: "customer.example" },
    dkim: [],
    dmarc: { result: "fail", domain: "customer.example" },
    arc: { result: "none", sets: [] },
    ...more
  })
  const from = [{ email: "jane@mail.customer.example", name: null }]
  const aligned = "mx.list.example; dkim=pass header.d=customer.example"
  const set = (sealer: string, results: string) => ({ sealer, results })

  it.each([
    ["the trusted forwarder that saw an aligned result", [set("list.example", aligned)], true],
    ["two trusted forwarders", [set("also.example", "x; dkim=fail"), set("list.example", aligned)], true],
    ["an untrusted forwarder", [set("evil.example", aligned)], false],
    ["a trusted set below an untrusted one", [set("evil.example", "x"), set("list.example", aligned)], false],
    ["an untrusted set below a trusted one", [set("list.example", "x"), set("evil.example", aligned)], false],
    [
      "a trusted forwarder without an aligned result",
      [set("list.example", "x; dkim=pass header.d=evil.example")],
      false
    ]
  ])("judges %s", (_, sets, expected) => {
    const trusts = (domain: string): boolean => domain === "list.example" || domain === "also.example"
    const { authentication, rejected } = verifiedAuthentication(
      { from },
      verified({ arc: { result: "pass", sets } }),
      trusts
    )
    expect([authentication?.fromDomainAligned, rejected]).toEqual([expected, !expected])
  })

  it("follows the domain's demand for strict alignment", () => {
    const dkim = [{ result: "pass" as const, domain: "customer.example" }]
    const of = (dmarc: "fail" | "pass") =>
      verifiedAuthentication({ from }, verified({ dkim, dmarc: { result: dmarc, domain: "x" } }), () => false)
    expect(of("pass").authentication?.fromDomainAligned).toBe(true)
    expect(of("fail").authentication?.fromDomainAligned).toBe(false)
  })
})
