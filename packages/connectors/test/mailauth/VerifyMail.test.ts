import { type DnsZone, keyZone, sealed, signed, signingKey } from "@leadloom/testkit/mail/SignedMail"
import { describe, expect, it } from "vitest"
import { DnsFailure, type Resolve } from "../../src/mailauth/BoundedResolver.ts"
import { verificationLimits } from "../../src/mailauth/VerifiableMail.ts"
import { verifyMail } from "../../src/mailauth/VerifyMail.ts"

const customer = signingKey("customer.example")
const other = signingKey("other.example")
const list = signingKey("list.example")

const policy: DnsZone = {
  ...keyZone(customer, other, list),
  "TXT customer.example": [["v=spf1 ip4:192.0.2.1 -all"]],
  "TXT _dmarc.customer.example": [["v=DMARC1; p=reject"]]
}

/** Returns a resolver of a zone, and the queries that it received. */
const zoneOf = (zone: DnsZone) => {
  const queries: Array<string> = []
  const resolve: Resolve = async (name, type) => {
    queries.push(`${type} ${name}`)
    const found = zone[`${type} ${name}`]
    if (found === undefined) throw new DnsFailure("ENOTFOUND")
    return found
  }
  return { queries, resolve }
}

const client = { address: "192.0.2.1", helo: "mx.customer.example", isTrusted: false }

const verify = (raw: string, resolve: Resolve = zoneOf(policy).resolve, more: Partial<typeof client> = {}) =>
  verifyMail(
    { raw: Buffer.from(raw, "latin1"), sender: "jo@customer.example", client: { ...client, ...more } },
    resolve
  )

const mail =
  "From: Jo <jo@customer.example>\r\nTo: sales@acme.com\r\nSubject: A roof\r\n" +
  "Date: Mon, 02 Mar 2026 08:55:00 +0000\r\nMessage-ID: <1@customer.example>\r\n\r\nWhat would a roof cost?\r\n"

/** The signed mail of RFC 8463 appendix A.3, with the keys of appendix A.2 and of RFC 6376 appendix C. */
const rfc8463 = [
  "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;",
  " d=football.example.com; i=@football.example.com;",
  " q=dns/txt; s=brisbane; t=1528637909; h=from : to :",
  " subject : date : message-id : from : subject : date;",
  " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;",
  " b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus",
  " Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==",
  "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;",
  " d=football.example.com; i=@football.example.com;",
  " q=dns/txt; s=test; t=1528637909; h=from : to : subject :",
  " date : message-id : from : subject : date;",
  " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;",
  " b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3",
  " DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz",
  " dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=",
  "From: Joe SixPack <joe@football.example.com>",
  "To: Suzie Q <suzie@shopping.example.net>",
  "Subject: Is dinner ready?",
  "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)",
  "Message-ID: <20030712040037.46341.5F8J@football.example.com>",
  "",
  "Hi.",
  "",
  "We lost the game.  Are you hungry yet?",
  "",
  "Joe.",
  ""
].join("\r\n")

const football: DnsZone = {
  "TXT brisbane._domainkey.football.example.com": [
    ["v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="]
  ],
  "TXT test._domainkey.football.example.com": [
    [
      "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi",
      "0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB"
    ]
  ]
}

describe("verifyMail", () => {
  it("verifies the signatures of RFC 8463", async () => {
    const pass = { result: "pass", domain: "football.example.com" }
    expect((await verify(rfc8463, zoneOf(football).resolve)).dkim).toEqual([pass, pass])
    const altered = rfc8463.replace("lost", "won")
    expect((await verify(altered, zoneOf(football).resolve)).dkim.map(({ result }) => result)).toEqual([
      "neutral",
      "neutral"
    ])
  })

  it("verifies SPF, DKIM and DMARC of a signed mail", async () => {
    expect(await verify(await signed(mail, customer))).toEqual({
      spf: { result: "pass", domain: "customer.example" },
      dkim: [{ result: "pass", domain: "customer.example" }],
      dmarc: { result: "pass", domain: "customer.example" },
      arc: { result: "none", sets: [] }
    })
  })

  it("fails DMARC for a foreign address and a signature of another domain", async () => {
    const found = await verify(await signed(mail, other), undefined, { address: "198.51.100.7" })
    expect(found).toMatchObject({
      spf: { result: "fail" },
      dkim: [{ result: "pass", domain: "other.example" }],
      dmarc: { result: "fail" }
    })
  })

  it("does not check SPF for the address of the operator's own mail server", async () => {
    const found = await verify(mail, undefined, { address: "10.0.0.1", isTrusted: true })
    expect(found).toMatchObject({ spf: { result: "none" }, dkim: [], dmarc: { result: "fail" } })
  })

  it("does not accept a signature that leaves the end of the body unsigned", async () => {
    const short = await signed(mail, customer, { maxBodyLength: 4 })
    const found = await verify(short, undefined, { address: "198.51.100.7" })
    expect(found).toMatchObject({ dkim: [{ result: "policy" }], dmarc: { result: "fail" } })
  })

  it("returns the sets of a valid ARC chain, newest first, and none of a broken one", async () => {
    const first = await sealed(await signed(mail, customer), list, "list.example; dkim=pass header.d=customer.example")
    const chain = await sealed(first, other, "other.example; arc=pass; dkim=fail", "pass")
    expect((await verify(chain)).arc).toEqual({
      result: "pass",
      sets: [
        { sealer: "other.example", results: expect.stringContaining("arc=pass") },
        { sealer: "list.example", results: expect.stringContaining("dkim=pass header.d=customer.example") }
      ]
    })
    expect((await verify(chain.replace("What would", "Whatever"))).arc).toEqual({ result: "fail", sets: [] })
  })

  it("reports temperror if DNS does not answer", async () => {
    const broken: Resolve = async () => {
      throw new DnsFailure("ETIMEOUT")
    }
    const chain = await sealed(await signed(mail, customer), list, "list.example; dkim=pass")
    expect(await verify(chain, broken)).toEqual({
      spf: { result: "temperror", domain: "customer.example" },
      dkim: [{ result: "temperror", domain: "customer.example" }],
      dmarc: { result: "temperror", domain: "customer.example" },
      arc: { result: "temperror", sets: [] }
    })
  })

  it("stops SPF after ten terms with a query (RFC 7208 section 4.6.4)", async () => {
    const includes = Array.from({ length: 11 }, (_, index) => `include:${index}.spf.example`)
    const zone: DnsZone = {
      "TXT customer.example": [[`v=spf1 ${includes.join(" ")} -all`]],
      ...Object.fromEntries(includes.map((name) => [`TXT ${name.slice(8)}`, [["v=spf1 -all"]]]))
    }
    const { queries, resolve } = zoneOf(zone)
    expect((await verify(mail, resolve)).spf.result).toBe("permerror")
    expect(queries.filter((query) => query.endsWith(".spf.example"))).toHaveLength(10)
  })
})

describe("the limits of verifyMail", () => {
  it.each([
    ["signatures", "", verificationLimits.signatures],
    ["signatures of a part of the body", " l=4;", verificationLimits.partialSignatures]
  ])("verifies only the first %s", async (_, length, limit) => {
    const fields = Array.from(
      { length: 100 },
      (_, index) =>
        `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=customer.example; s=k${index}; h=from;${length} ` +
        `bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA\r\n`
    )
    const { queries, resolve } = zoneOf(policy)
    const { dkim } = await verify(fields.join("") + mail, resolve)
    expect(dkim).toHaveLength(limit)
    expect(queries.filter((query) => query.includes("_domainkey")).length).toBeLessThanOrEqual(limit)
  })

  it.each([
    ["a long line in the body", mail + "a ".repeat(verificationLimits.bodyLineBytes)],
    ["too many lines in the body", mail + "\n".repeat(verificationLimits.bodyLines + 1)],
    ["too many lines with spaces in the body", mail + "a  b\r\n".repeat(verificationLimits.spacedLines + 1)],
    [
      "a long signature",
      `DKIM-Signature: d=customer.example; b=a${" ".repeat(verificationLimits.signatureBytes)}b\r\n${mail}`
    ],
    ["many ARC sets", "ARC-Seal: i=1\r\n".repeat(verificationLimits.arcSets + 1) + mail]
  ])("evaluates only SPF and DMARC of a mail with %s", async (_, hostile) => {
    expect(await verify(hostile)).toMatchObject({
      spf: { result: "pass" },
      dkim: [{ result: "policy" }],
      dmarc: { result: "pass" },
      arc: { result: "policy" }
    })
  })

  it.each([
    ["a long header", `X: ${"y\r\n ".repeat(verificationLimits.headerBytes / 4)}\r\n${mail}`],
    ["many lines", "X: y\r\n".repeat(verificationLimits.headerLines) + mail],
    ["a long field", `X: ${"y".repeat(verificationLimits.fieldBytes)}\r\n${mail}`]
  ])("evaluates only SPF of a mail with %s in the header", async (_, hostile) => {
    expect(await verify(hostile)).toMatchObject({ spf: { result: "pass" }, dmarc: { result: "policy" } })
  })
})
