import { existsSync, readFileSync } from "node:fs"
import { generateKeyPairSync, sign } from "node:crypto"
import { join } from "node:path"
import { repository } from "@leadloom/testkit/Sources"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readProviderEvent, readPublicKey } from "../../src/highlevel/HighLevelEvent.ts"

const { privateKey, publicKey } = generateKeyPairSync("ed25519")
const now = Date.parse("2026-11-21T00:00:00.000Z")

const signed = (json: unknown) => {
  const body = new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json))
  return { body, signature: sign(null, body, privateKey).toString("base64") }
}

const read = (json: unknown, at = now) => {
  const { body, signature } = signed(json)
  return readProviderEvent([publicKey], body, signature, at)
}

const update = {
  type: "ContactUpdate",
  locationId: "loc1",
  id: "c1",
  timestamp: "2026-11-21T00:00:00.000Z",
  webhookId: "wh1",
  more: { than: "we know" }
}

const contact = { locationId: "loc1", crmContactId: "c1" }
const changed = { _tag: "ContactChanged", ...contact, said: {} }

describe("a provider event of HighLevel", () => {
  it("is read when its signature is valid", () => {
    expect(read(update)).toEqual({ _tag: "ProviderEventRead", providerEventId: "wh1", providerEvent: changed })
  })

  it("reports only the contact fields that it contains", () => {
    const said = (fields: object) => {
      const providerEvent = read({ ...update, ...fields })
      return "providerEvent" in providerEvent && "said" in providerEvent.providerEvent
        ? providerEvent.providerEvent.said
        : expect.fail("nothing is said")
    }
    expect(said({ firstName: "Jo", lastName: " van  Smith", name: "jo van smith", email: "", tags: ["vip"] })).toEqual({
      name: "Jo van Smith",
      email: null,
      tags: ["vip"]
    })
    expect(said({ phone: 7, companyName: "Smith Roofs", dnd: true })).toEqual({
      phone: null,
      company: "Smith Roofs",
      smsOptOut: true
    })
  })

  it.each([
    ["ContactCreate", { _tag: "ContactChanged", ...contact }],
    ["ContactTagUpdate", { _tag: "ContactChanged", ...contact }],
    ["ContactDndUpdate", { _tag: "ContactChanged", ...contact }],
    ["ContactDelete", { _tag: "ContactDeleted", ...contact }],
    ["INSTALL", { _tag: "Installed", locationId: "loc1" }],
    ["UNINSTALL", { _tag: "Uninstalled", locationId: "loc1" }],
    ["InboundMessage", { _tag: "Ignored", type: "InboundMessage" }],
    ["OpportunityCreate", { _tag: "Ignored", type: "OpportunityCreate" }]
  ])("reports %s", (type, providerEvent) => {
    expect(read({ ...update, type })).toMatchObject({ _tag: "ProviderEventRead", providerEvent })
  })

  it("reports that an agency removed the app, and ignores its installation", () => {
    const whole = { ...update, locationId: undefined, id: undefined, companyId: "agency1" }
    const providerEvent = { _tag: "AgencyUninstalled", companyId: "agency1" }
    expect(read({ ...whole, type: "UNINSTALL" })).toMatchObject({ providerEvent })
    expect(read({ ...whole, type: "INSTALL" })).toMatchObject({ providerEvent: { _tag: "Ignored" } })
    const one = { ...update, id: undefined, companyId: "agency1", type: "UNINSTALL" }
    expect(read(one)).toMatchObject({ providerEvent: { _tag: "Uninstalled", locationId: "loc1" } })
  })

  it("is accepted and ignored without a location or a contact", () => {
    expect(read({ ...update, locationId: undefined })).toMatchObject({ providerEvent: { _tag: "Ignored" } })
    expect(read({ ...update, id: undefined })).toMatchObject({ providerEvent: { _tag: "Ignored" } })
    expect(read({ ...update, id: undefined, contactId: "c1" })).toMatchObject({ providerEvent: { crmContactId: "c1" } })
  })

  it("must be at most five minutes away from now, in milliseconds or as a date", () => {
    const at = (millis: number) => read(update, now + millis)._tag
    expect([at(300_000), at(300_001), at(-300_000), at(-300_001)]).toEqual([
      "ProviderEventRead",
      "ProviderEventRejected",
      "ProviderEventRead",
      "ProviderEventRejected"
    ])
    expect(read({ ...update, timestamp: now })._tag).toBe("ProviderEventRead")
    expect(read({ ...update, timestamp: "yesterday" })).toEqual({ _tag: "ProviderEventRejected", why: "stale" })
  })

  it("is identified by its body when it has no id", () => {
    const one = read({ ...update, webhookId: undefined })
    expect(one).toMatchObject({ providerEventId: expect.stringMatching(/^body-[0-9a-f]{64}$/u) })
    expect(read({ ...update, webhookId: undefined })).toEqual(one)
    expect(read({ ...update, webhookId: undefined, id: "c2" })).not.toMatchObject(one)
  })

  it("is malformed when only its signature is valid", () => {
    for (const json of ["", "[]", "{", '"x"', { type: 7 }])
      expect(read(json)).toEqual({ _tag: "ProviderEventRejected", why: "malformed" })
  })

  it("is rejected without a signature, with the signature of another key, and with that of another body", () => {
    const { body, signature } = signed(update)
    const refused = { _tag: "ProviderEventRejected", why: "signature" }
    expect(readProviderEvent([publicKey], body, undefined, now)).toEqual(refused)
    expect(readProviderEvent([publicKey], body, "", now)).toEqual(refused)
    expect(readProviderEvent([], body, signature, now)).toEqual(refused)
    expect(readProviderEvent([generateKeyPairSync("ed25519").publicKey], body, signature, now)).toEqual(refused)
    expect(readProviderEvent([generateKeyPairSync("ed25519").publicKey, publicKey], body, signature, now)._tag).toBe(
      "ProviderEventRead"
    )
    fc.assert(
      fc.property(fc.nat({ max: body.length - 1 }), fc.integer({ min: 1, max: 255 }), (index, change) => {
        const other = Uint8Array.from(body)
        other[index] = (other[index] ?? 0) ^ change
        expect(readProviderEvent([publicKey], other, signature, now)).toEqual(refused)
      }),
      { numRuns: 200 }
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readProviderEvent([publicKey], body, text, now)).toEqual(refused)
      })
    )
  })
})

describe("the key", () => {
  it("is an Ed25519 key in PEM, even in a single line", () => {
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString()
    expect(readPublicKey(pem)?.equals(publicKey)).toBe(true)
    expect(readPublicKey(pem.trim().replaceAll("\n", "\\n"))?.equals(publicKey)).toBe(true)
    expect(readPublicKey("")).toBeNull()
    expect(
      readPublicKey(
        generateKeyPairSync("rsa", { modulusLength: 1_024 })
          .publicKey.export({ type: "spki", format: "pem" })
          .toString()
      )
    ).toBeNull()
  })
})

const vectors = join(repository, "../shared/providers/signature-vectors.json")
const note = existsSync(vectors) ? "" : " (NOT CHECKED: no vectors beside the repository)"

describe(`a vector that HighLevel's own library accepts${note}`, () => {
  it.skipIf(!existsSync(vectors))("is accepted", () => {
    const { body, public_key_pem: pem, value } = JSON.parse(readFileSync(vectors, "utf8")).highlevel
    const key = readPublicKey(pem)
    expect(readProviderEvent(key === null ? [] : [key], new TextEncoder().encode(body), value, now)).toMatchObject({
      providerEventId: "wh1",
      providerEvent: { _tag: "ContactChanged", ...contact }
    })
  })
})
