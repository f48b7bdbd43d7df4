import { DnsFailure, type Resolve } from "@leadloom/connectors/internal/mailauth/BoundedResolver"
import * as MailAuthVerifier from "@leadloom/connectors/internal/mailauth/MailAuthVerifier"
import { MailVerifier } from "@leadloom/core/internal/port/provider/MailVerifier"
import { type DnsZone, keyZone, sealed, signed, signingKey } from "@leadloom/testkit/mail/SignedMail"
import { verifyProgram } from "@leadloom/testkit/Program"
import { drain } from "@leadloom/testkit/suite/Scene"
import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import { type MailServer, startMailServer } from "../world/MailServer.ts"
import { adminKey, at, textAt } from "../world/TestServer.ts"
import { mail, makeWorld } from "../world/World.ts"

let server: MailServer

afterEach(() => server.close())

const customer = signingKey("customer.example")
const acme = signingKey("acme.com")
const list = signingKey("list.example")

/** The tests connect from 127.0.0.1, which only `acme.com` and `customer.example` permit. */
const zone: DnsZone = {
  ...keyZone(customer, acme, list),
  "TXT customer.example": [["v=spf1 ip4:127.0.0.1 -all"]],
  "TXT acme.com": [["v=spf1 ip4:127.0.0.1 -all"]],
  "TXT strict.example": [["v=spf1 ip4:192.0.2.1 -all"]],
  "TXT _dmarc.customer.example": [["v=DMARC1; p=reject"]],
  "TXT _dmarc.acme.com": [["v=DMARC1; p=reject"]],
  "TXT _dmarc.strict.example": [["v=DMARC1; p=reject"]]
}

const resolve: Resolve = async (name, type) => {
  const found = zone[`${type} ${name}`]
  if (found === undefined) throw new DnsFailure("ENOTFOUND")
  return found
}

/** The limit is long, because a busy machine starts the process late. */
const verifying = (options: MailAuthVerifier.VerifierOptions = {}): Layer.Layer<MailVerifier> =>
  MailAuthVerifier.layerOf({ resolve, program: verifyProgram(), limitMillis: 60_000, ...options })

const scope = Effect.runSync(Scope.make())
/** The verifier of most tests. They share its process, because its start takes longer than a test. */
const shared = Layer.effectContext(Effect.runSync(Effect.cached(Layer.buildWithScope(verifying(), scope))))

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const begin = async (database: "sqlite" | "postgres", verifier = shared): Promise<void> => {
  server = await startMailServer(database, {}, undefined, {}, verifier)
  await makeWorld(server)
}

const configure = async (change: object): Promise<void> => {
  const saved = await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: change })
  expect(saved.status).toBe(200)
}

let number = 0

/** Returns a mail to the tenant that was not sent before. */
const letter = (from: string, more: Readonly<Record<string, string>> = {}): string => {
  number++
  const headers = { From: from, To: "sales@acme.com", "Message-ID": `<${number}@customer.example>`, ...more }
  return mail(headers, `Mail ${number}: what would a roof cost?`)
}

/** Sends a mail and returns the stored message, read through `GET …/messages/{message_id}`. */
const arrive = async (raw: string, sender: string): Promise<unknown> => {
  expect((await server.send(["sales@acme.com"], raw, sender)).code).toBe(250)
  const found = (await server.messages()).find((message) => String(at(message, "body")).startsWith(`Mail ${number}:`))
  const path = `/api/v1/tenants/acme/messages/${textAt(found, "message_id")}`
  const answer = await server.call("GET", path, { as: adminKey })
  expect(answer.status).toBe(200)
  return answer.json
}

const jo = "Jo Smith <jo@customer.example>"

describe.each(["sqlite", "postgres"] as const)("mail over SMTP on %s", (database) => {
  it("stores SPF, DKIM and DMARC of the connection and the mail", async () => {
    await begin(database)
    const valid = { spf: "pass", dkim: "pass", dmarc: "pass", arc: "none", from_domain_aligned: true }
    expect(await arrive(await signed(letter(jo), customer), "jo@customer.example")).toMatchObject({
      authentication: { ...valid, verified_by: "leadloom" }
    })
    const altered = (await signed(letter(jo), customer)).replace("what would", "what will")
    expect(await arrive(altered, "jo@strict.example")).toMatchObject({
      authentication: { spf: "fail", dkim: "neutral", dmarc: "fail", from_domain_aligned: false }
    })
    expect(await arrive(letter(jo), "jo@customer.example")).toMatchObject({
      authentication: { spf: "pass", dkim: "none", dmarc: "pass", from_domain_aligned: true }
    })
    expect(await arrive(await signed(letter("x@strict.example"), customer), "jo@customer.example")).toMatchObject({
      authentication: { spf: "pass", dkim: "pass", dmarc: "fail", from_domain_aligned: false }
    })
    expect(await arrive(letter("x@plain.example"), "x@plain.example")).toMatchObject({
      authentication: { spf: "none", dkim: "none", dmarc: "none", arc: "none", from_domain_aligned: false }
    })
  })

  it("ignores results in the header of a client that is not trusted", async () => {
    await begin(database)
    await configure({ trusted_mail_servers: ["mx.acme.com"] })
    const forged = letter("x@strict.example", {
      "Authentication-Results": "mx.acme.com; dmarc=pass header.from=strict.example"
    })
    expect(await arrive(forged, "x@strict.example")).toMatchObject({ authentication: { dmarc: "fail" } })
  })

  it("treats mail from an own address as the tenant's only if it is authenticated", async () => {
    await begin(database)
    const own = () => letter("Boss <boss@acme.com>", { To: "Jo <jo@customer.example>", Cc: "sales@acme.com" })
    expect(await arrive(await signed(own(), acme), "boss@acme.com")).toMatchObject({ actor: "agent", auto: "own" })
    const forged = await arrive(await signed(own(), customer), "boss@strict.example")
    expect(forged).toMatchObject({ actor: "contact", auto: null })
    expect(at(forged, "flags")).toContain("sender_unverified")
  })

  it("trusts the results of a valid ARC chain only from the configured forwarders", async () => {
    await begin(database)
    const forwarded = async () => {
      const changed = letter("x@strict.example", { Subject: "[list] A roof" })
      return sealed(
        changed,
        list,
        "list.example; dkim=pass header.d=strict.example; dmarc=pass header.from=strict.example"
      )
    }
    expect(await arrive(await forwarded(), "x@list.example")).toMatchObject({
      authentication: { arc: "pass", dmarc: "fail", from_domain_aligned: false }
    })
    await configure({ trusted_arc_sealers: ["list.example"] })
    expect(await arrive(await forwarded(), "x@list.example")).toMatchObject({
      authentication: { arc: "pass", dmarc: "fail", from_domain_aligned: true }
    })
    const broken = (await forwarded()).replace("what would", "what will")
    expect(await arrive(broken, "x@list.example")).toMatchObject({
      authentication: { arc: "fail", from_domain_aligned: false }
    })
  })

  it("accepts mail without DNS, and when the verification does not end", async () => {
    const failing: Resolve = async () => {
      throw new DnsFailure("ETIMEOUT")
    }
    await begin(database, verifying({ resolve: failing }))
    const unknown = { spf: "temperror", dkim: "temperror", dmarc: "temperror", from_domain_aligned: false }
    expect(await arrive(await signed(letter(jo), customer), "jo@customer.example")).toMatchObject({
      authentication: unknown
    })
    await server.close()
    const silent: Resolve = () => new Promise(() => undefined)
    await begin(database, verifying({ resolve: silent, limitMillis: 1 }))
    expect(await arrive(await signed(letter(jo), customer), "jo@customer.example")).toMatchObject({
      authentication: unknown
    })
  })

  it("reads the header or nothing, as the operator selects", async () => {
    const headers = { "Authentication-Results": "mx.acme.com; spf=pass smtp.mailfrom=customer.example" }
    await begin(database, MailVerifier.layerTrustHeaders)
    await configure({ trusted_mail_servers: ["mx.acme.com"] })
    expect(await arrive(letter(jo, headers), "jo@customer.example")).toMatchObject({
      authentication: { spf: "pass", verified_by: "mx.acme.com" }
    })
    await server.close()
    await begin(database, MailVerifier.layerOff)
    await configure({ trusted_mail_servers: ["mx.acme.com"] })
    expect(await arrive(letter(jo, headers), "jo@customer.example")).toMatchObject({ authentication: null })
  })

  it("offers the results as facts to rules", async () => {
    await begin(database)
    const when = {
      all: [
        { fact: "message.dmarc", op: "eq", value: "fail" },
        { fact: "message.from_domain_aligned", op: "eq", value: false }
      ]
    }
    await configure({
      rules: [{ id: "forged", name: "Forged", priority: 1, when, actions: [{ type: "tag", tag: "forged" }] }]
    })
    const forged = await arrive(letter("x@strict.example"), "x@strict.example")
    const genuine = await arrive(await signed(letter(jo), customer), "jo@customer.example")
    await server.run(drain)
    const tagsOf = async (message: unknown) => {
      const path = `/api/v1/tenants/acme/contacts/${textAt(message, "contact_id")}`
      return at((await server.call("GET", path, { as: adminKey })).json, "tags")
    }
    expect([await tagsOf(forged), await tagsOf(genuine)]).toEqual([["forged"], []])
  })
})
