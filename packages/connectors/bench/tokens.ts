/**
 * Measures the CPU time of ID token verification by algorithm: each token for the first time, the same token repeatedly
 * (a console sends it with every request), and plain `jose` with a given key.
 *
 * Run: node --conditions=development packages/connectors/bench/tokens.ts [tokens]
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { IdTokens } from "@leadloom/core/port/provider/IdTokens"
import { Effect } from "effect"
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose"
import { type OidcAlgorithm, oidcAlgorithms } from "../src/oidc/OidcConfig.ts"
import * as OidcTokens from "../src/oidc/OidcTokens.ts"

const count = Number(process.argv[2] ?? 2_000)
const again = 20

const measure = async (algorithm: OidcAlgorithm): Promise<string> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm)
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "k", alg: algorithm, use: "sig" }] }
  const server = createServer((_, response) => response.end(JSON.stringify(keys))).listen(0, "127.0.0.1")
  await once(server, "listening")
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tokens = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      new SignJWT({ role: "agent", tenants: ["acme"], email: "ann@acme.com" })
        .setProtectedHeader({ alg: algorithm, kid: "k", typ: "JWT" })
        .setIssuer(issuer)
        .setAudience("console")
        .setSubject(`user-${index}`)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey)
    )
  )
  const micros = async (times: number, verify: Effect.Effect<unknown, unknown, IdTokens>) => {
    const config = {
      issuer,
      audiences: ["console"],
      clientIds: ["console"],
      jwksUri: issuer,
      algorithms: oidcAlgorithms,
      claims: { role: "role", tenants: "tenants" }
    }
    const program = Effect.gen(function* () {
      yield* Effect.flatMap(IdTokens, ({ verify: warmUp }) => warmUp(tokens[0] ?? ""))
      const began = process.cpuUsage()
      yield* verify
      const { system, user } = process.cpuUsage(began)
      return (user + system) / times
    })
    return (await Effect.runPromise(Effect.provide(program, OidcTokens.layer(config)))).toFixed(0)
  }
  const bare = Effect.forEach(tokens, (token) =>
    Effect.promise(() => jwtVerify(token, publicKey, { issuer, audience: "console" }))
  )
  const first = Effect.flatMap(IdTokens, ({ verify }) => Effect.forEach(tokens, verify, { discard: true }))
  const [same = ""] = tokens
  const repeated = Effect.flatMap(IdTokens, ({ verify }) =>
    Effect.forEach(Array.from({ length: count * again }), () => verify(same), { discard: true })
  )
  const line = `${algorithm}: jose ${await micros(count, bare)} µs, first ${await micros(count, first)} µs`
  const reported = `${line}, again ${await micros(count * again, repeated)} µs`
  server.close()
  return reported
}

for (const algorithm of oidcAlgorithms) console.log(await measure(algorithm))
