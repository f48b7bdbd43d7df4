import { it } from "@effect/vitest"
import { IdTokens } from "@leadloom/core/internal/port/provider/IdTokens"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest"
import { cooldownMillis, staleMillis, waitMillis } from "../../src/oidc/SigningKeys.ts"
import { oidcAlgorithms, type OidcConfig } from "../../src/oidc/OidcConfig.ts"
import * as OidcTokens from "../../src/oidc/OidcTokens.ts"
import { rememberMillis } from "../../src/oidc/VerifiedTokens.ts"
import { type IssuerKey, type KeyServer, makeKey, startKeyServer } from "./KeyServer.ts"

let key: IssuerKey
let next: IssuerKey
let issuer: KeyServer
beforeAll(async () => {
  key = await makeKey("RS256", "this-year")
  next = await makeKey("ES256", "next-year")
})
beforeEach(async () => {
  await issuer?.close()
  issuer = await startKeyServer(key)
})
afterAll(() => issuer.close())

const start = Date.parse("2026-03-02T09:00:00.000Z")
const day = 86_400_000

/** The claims of a token that is valid all day. */
const claims = (more: Readonly<Record<string, unknown>> = {}) => ({
  iss: issuer.url,
  aud: "leadloom",
  sub: "ann",
  iat: start / 1_000,
  exp: (start + day) / 1_000,
  role: "agent",
  tenants: ["acme"],
  ...more
})

/** The profile of a token without claims about the person. */
const noProfile = { name: null, email: null, isEmailVerified: false }

const ann = { subject: "ann", role: "agent", tenants: ["acme"], profile: noProfile }
const verify = (token: string) => Effect.flatMap(IdTokens, (tokens) => tokens.verify(token))
/** Returns the subject of a token, or the tag of its rejection. */
const outcomeOf = (token: string) =>
  verify(token).pipe(Effect.match({ onFailure: ({ _tag }) => _tag as string, onSuccess: ({ subject }) => subject }))
const sign = (...given: Parameters<IssuerKey["sign"]>) => Effect.promise(() => key.sign(...given))

/** Runs a test with a new verifier, starting in the morning of `start`. */
const on = <A, E>(test: Effect.Effect<A, E, IdTokens>, changes: Partial<OidcConfig> = {}) =>
  Effect.suspend(() => {
    const config: OidcConfig = {
      issuer: issuer.url,
      audiences: ["leadloom"],
      clientIds: ["leadloom"],
      jwksUri: null,
      algorithms: oidcAlgorithms,
      claims: { role: "role", tenants: "tenants" },
      ...changes
    }
    return Effect.andThen(TestClock.setTime(start), Effect.provide(test, OidcTokens.layer(config)))
  })

/** Waits until the server has received this number of requests. Refreshes run in the background. */
const untilRequested = (times: number) =>
  Effect.promise(async () => {
    while (issuer.requested.length < times) await new Promise(setImmediate)
  })

describe("keys of an issuer", () => {
  it.effect("are found by discovery, with one request for any number of concurrent tokens", () =>
    on(
      Effect.gen(function* () {
        const tokens = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, index) => index),
          (index) => sign(claims({ jti: String(index) }))
        )
        const verified = yield* Effect.forEach(tokens, verify, { concurrency: "unbounded" })
        expect(verified).toEqual(tokens.map(() => ann))
        expect(issuer.requested).toEqual(["/.well-known/openid-configuration", "/keys"])
      })
    )
  )

  it.effect("are fetched from the configured URL without discovery", () =>
    on(
      Effect.gen(function* () {
        expect(yield* verify(yield* sign(claims()))).toEqual(ann)
        expect(issuer.requested).toEqual(["/keys"])
      }),
      { jwksUri: `${issuer?.url}/keys` }
    )
  )

  it.effect("stop working after the issuer has withdrawn them and the cache is refreshed", () =>
    on(
      Effect.gen(function* () {
        const token = (jti: string) => sign(claims({ jti }))
        expect(yield* outcomeOf(yield* token("1"))).toBe("ann")
        issuer.says.keys = { keys: [next.jwk] }
        yield* TestClock.adjust(staleMillis)
        expect(yield* outcomeOf(yield* token("2"))).toBe("ann")
        yield* untilRequested(4)
        yield* TestClock.adjust(waitMillis)
        expect(yield* outcomeOf(yield* token("3"))).toBe("IdTokenInvalid")
      })
    )
  )

  it.effect("stay valid while the issuer is down, if they are cached", () =>
    on(
      Effect.gen(function* () {
        expect(yield* outcomeOf(yield* sign(claims()))).toBe("ann")
        yield* Effect.promise(issuer.close)
        for (const hours of [1, 5, 12]) {
          yield* TestClock.adjust(hours * 3_600_000)
          expect(yield* outcomeOf(yield* sign(claims({ jti: String(hours) })))).toBe("ann")
          expect(yield* outcomeOf(yield* Effect.promise(() => next.sign(claims())))).toBe("IdTokensUnavailable")
          expect(yield* outcomeOf(yield* sign(claims({ exp: start / 1_000 - 61 })))).toBe("IdTokenInvalid")
        }
      })
    )
  )

  it.effect("are fetched immediately when they are new, with at most one request per interval for unknown keys", () =>
    on(
      Effect.gen(function* () {
        expect(yield* outcomeOf(yield* sign(claims()))).toBe("ann")
        issuer.says.keys = { keys: [key.jwk, next.jwk] }
        expect(yield* outcomeOf(yield* Effect.promise(() => next.sign(claims())))).toBe("ann")
        expect(issuer.requested).toHaveLength(4)
        for (let number = 0; number < 50; number++) {
          expect(yield* outcomeOf(yield* sign(claims(), `invented-${number}`))).toBe("IdTokenInvalid")
        }
        expect(issuer.requested).toHaveLength(4)
        yield* TestClock.adjust(cooldownMillis)
        expect(yield* outcomeOf(yield* sign(claims(), "invented-again"))).toBe("IdTokenInvalid")
        expect(issuer.requested).toHaveLength(6)
      })
    )
  )

  it.effect("are fetched after an outage, with one request per interval for all tokens", () =>
    on(
      Effect.gen(function* () {
        issuer.says.status = 500
        const token = yield* sign(claims())
        expect(yield* outcomeOf(token)).toBe("IdTokensUnavailable")
        issuer.says.status = 200
        expect(yield* outcomeOf(token)).toBe("IdTokensUnavailable")
        expect(issuer.requested).toHaveLength(1)
        yield* TestClock.adjust(cooldownMillis)
        expect(yield* outcomeOf(token)).toBe("ann")
      })
    )
  )

  it.effect("are awaited for five seconds", () =>
    on(
      Effect.gen(function* () {
        issuer.says.keys = null
        const waiting = yield* Effect.forkChild(outcomeOf(yield* sign(claims())))
        yield* untilRequested(2)
        yield* TestClock.adjust("5 seconds")
        expect(yield* Fiber.join(waiting)).toBe("IdTokensUnavailable")
      })
    )
  )

  const answers: Readonly<Record<string, (server: KeyServer) => void>> = {
    "a document of another issuer": ({ says, url }) => (says.document = { issuer: `${url}/`, jwks_uri: `${url}/keys` }),
    "a document without keys": ({ says, url }) => (says.document = { issuer: url }),
    "a document with keys over plain HTTP": ({ says, url }) =>
      (says.document = { issuer: url, jwks_uri: "http://keys.example/keys" }),
    "a document with keys in a file": ({ says, url }) =>
      (says.document = { issuer: url, jwks_uri: "file:///etc/keys" }),
    "a document that is none": ({ says }) => (says.document = "<html>"),
    "keys that are none": ({ says }) => (says.keys = "[]"),
    "a set of no keys": ({ says }) => (says.keys = { keys: [] }),
    "a set of other things": ({ says }) => (says.keys = { keys: ["key", 7] }),
    "more than anybody reads": ({ says }) => (says.keys = " ".repeat(300_000)),
    "an error": ({ says }) => (says.status = 404),
    "a way to elsewhere": ({ says, url }) => Object.assign(says, { status: 302, headers: { location: `${url}/keys` } })
  }
  for (const [name, answer] of Object.entries(answers)) {
    it.effect(`are not taken from ${name}`, () =>
      on(
        Effect.gen(function* () {
          const token = yield* sign(claims())
          answer(issuer)
          expect(yield* outcomeOf(token)).toBe("IdTokensUnavailable")
        })
      )
    )
  }
})

describe("a token of the issuer", () => {
  for (const algorithm of oidcAlgorithms) {
    it.effect(`may be signed with ${algorithm}, unless the operator says otherwise`, () =>
      Effect.gen(function* () {
        const other = yield* Effect.promise(() => makeKey(algorithm, "other"))
        issuer.says.keys = { keys: [key.jwk, other.jwk] }
        const token = yield* Effect.promise(() => other.sign(claims()))
        expect(yield* on(outcomeOf(token))).toBe("ann")
        const others = oidcAlgorithms.filter((each) => each !== algorithm)
        expect(yield* on(outcomeOf(token), { algorithms: others })).toBe("IdTokenInvalid")
      })
    )
  }

  it.effect("is never verified with a shared secret, even one that the issuer publishes", () =>
    on(
      Effect.gen(function* () {
        const secret = Buffer.alloc(32, 7)
        issuer.says.keys = { keys: [{ kty: "oct", k: secret.toString("base64url"), kid: "s", alg: "HS256" }] }
        const { SignJWT } = yield* Effect.promise(() => import("jose"))
        const signing = new SignJWT(claims()).setProtectedHeader({ alg: "HS256", kid: "s" })
        expect(yield* outcomeOf(yield* Effect.promise(() => signing.sign(secret)))).toBe("IdTokenInvalid")
      })
    )
  )

  it.effect("is cached for a minute after its key is withdrawn, but not beyond its expiry", () =>
    on(
      Effect.gen(function* () {
        const [long, short] = [yield* sign(claims()), yield* sign(claims({ exp: start / 1_000 + 30 }))]
        expect([yield* outcomeOf(long), yield* outcomeOf(short)]).toEqual(["ann", "ann"])
        issuer.says.keys = { keys: [next.jwk] }
        expect(yield* outcomeOf(yield* Effect.promise(() => next.sign(claims())))).toBe("ann")
        expect([yield* outcomeOf(long), yield* outcomeOf(short)]).toEqual(["ann", "ann"])
        yield* TestClock.adjust("30 seconds")
        expect([yield* outcomeOf(long), yield* outcomeOf(short)]).toEqual(["ann", "IdTokenInvalid"])
        yield* TestClock.adjust(rememberMillis)
        expect(yield* outcomeOf(long)).toBe("IdTokenInvalid")
      })
    )
  )

  it.effect("has role and tenants in the configured claims", () =>
    Effect.gen(function* () {
      const verifyClaims = (role: string, tenants: string, more: Readonly<Record<string, unknown>>) =>
        Effect.flatMap(sign(claims({ role: undefined, tenants: undefined, ...more })), (token) =>
          on(verify(token), { claims: { role, tenants } })
        )
      expect(
        yield* verifyClaims("realm_access.roles", "firebase.tenant", {
          realm_access: { roles: ["offline", "manager", "agent"] },
          firebase: { tenant: "acme" }
        })
      ).toEqual({ subject: "ann", role: "manager", tenants: ["acme"], profile: noProfile })
      expect(
        yield* verifyClaims("https://acme.com/role", "https://acme.com/tenants", {
          "https://acme.com/role": "admin",
          "https://acme.com/tenants": "*"
        })
      ).toEqual({ subject: "ann", role: "admin", tenants: "all", profile: noProfile })
      expect(yield* verifyClaims("constructor.name", "__proto__.length", {})).toEqual({
        subject: "ann",
        role: null,
        tenants: [],
        profile: noProfile
      })
    })
  )
})
