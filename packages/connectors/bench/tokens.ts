/**
 * Measures the CPU time of ID token verification by algorithm: each token for the first time, the same token repeatedly
 * (a console sends it with every request), and plain `jose` with a given key.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { IdTokens } from "@leadloom/core/internal/port/provider/IdTokens"
import { type Bench, numberAt } from "@leadloom/testkit/bench/Bench"
import { Effect, Result } from "effect"
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose"
import { type OidcAlgorithm, oidcAlgorithms } from "../src/oidc/OidcConfig.ts"
import * as OidcTokens from "../src/oidc/OidcTokens.ts"

/** The verifications of the same token, as a multiple of the number of tokens. */
const again = 20
const audience = "console"

const signAll = (algorithm: OidcAlgorithm, issuer: string, privateKey: CryptoKey, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      new SignJWT({ role: "agent", tenants: ["acme"], email: "ann@acme.com" })
        .setProtectedHeader({ alg: algorithm, kid: "k", typ: "JWT" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(`user-${index}`)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey)
    )
  )

const layerOf = (issuer: string) =>
  OidcTokens.layer({
    issuer,
    audiences: [audience],
    clientIds: [audience],
    jwksUri: issuer,
    algorithms: oidcAlgorithms,
    claims: { role: "role", tenants: "tenants" }
  })

const measure = async (algorithm: OidcAlgorithm, count: number) => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm)
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "k", alg: algorithm, use: "sig" }] }
  const server = createServer((_, response) => response.end(JSON.stringify(keys))).listen(0, "127.0.0.1")
  await once(server, "listening")
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tokens = await signAll(algorithm, issuer, privateKey, count)
  const [same = ""] = tokens
  const layer = layerOf(issuer)
  /** Returns the CPU time per verification in microseconds. */
  const micros = async (times: number, verify: Effect.Effect<unknown, unknown, IdTokens>) => {
    const program = Effect.gen(function* () {
      yield* Effect.flatMap(IdTokens, ({ verify: warmUp }) => warmUp(same))
      const began = process.cpuUsage()
      yield* verify
      const { system, user } = process.cpuUsage(began)
      return Math.round((user + system) / times)
    })
    return await Effect.runPromise(Effect.provide(program, layer))
  }
  const bare = Effect.forEach(tokens, (token) =>
    Effect.promise(() => jwtVerify(token, publicKey, { issuer, audience }))
  )
  const first = Effect.flatMap(IdTokens, ({ verify }) => Effect.forEach(tokens, verify, { discard: true }))
  const repeated = Effect.flatMap(IdTokens, ({ verify }) =>
    Effect.forEach(Array.from({ length: count * again }), () => verify(same), { discard: true })
  )
  const forged = Effect.flatMap(IdTokens, ({ verify }) => Effect.result(verify(`${same.slice(0, -8)}AAAAAAAA`)))
  const row = {
    algorithm,
    joseMicros: await micros(count, bare),
    firstMicros: await micros(count, first),
    againMicros: await micros(count * again, repeated)
  }
  const isRejected = Result.isFailure(await Effect.runPromise(Effect.provide(forged, layer)))
  server.close()
  return { row, isRejected }
}

export const bench: Bench = {
  name: "tokens",
  purpose: "CPU time of one ID token by algorithm: new, repeated, and with plain jose.",
  usage: "[tokens]",
  sizes: { smallest: [3], small: [200], full: [2_000] },
  run: async (args) => {
    const measured = []
    for (const algorithm of oidcAlgorithms) measured.push(await measure(algorithm, numberAt(args, 0)))
    return {
      figures: { tokens: numberAt(args, 0), algorithms: measured.map(({ row }) => row) },
      checks: { "a changed signature is rejected": measured.every(({ isRejected }) => isRejected) }
    }
  }
}
