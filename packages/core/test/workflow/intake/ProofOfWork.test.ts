import { inMemoryRandomness } from "@leadloom/testkit/memory/Randomness"
import { assert, layer } from "@effect/vitest"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import {
  challengeLifetimeMillis,
  difficultyBits,
  makeChallenge,
  proofOfWork,
  solves
} from "../../../src/workflow/intake/ProofOfWork.ts"

const secrets = (byte: number) =>
  Layer.succeed(Secrets, { adminKeys: [], sessionKeys: [], pepper: new Uint8Array(32).fill(byte) })

const solve = (challenge: string): string => {
  for (let number = 0; ; number++)
    if (solves(challenge, String(number), difficultyBits)) return `${challenge}.${number}`
}

const believed = (token: string, tenantId = "acme") =>
  Effect.flatMap(proofOfWork(tenantId), ({ verify }) =>
    Effect.match(verify(token, null), { onSuccess: ({ proofId }) => proofId, onFailure: () => null })
  )

describe("a solution", () => {
  // sha256sum prints 037277… for "a.6" and 0015a5… for "a.34".
  it.each([
    ["a", "6", 6, true],
    ["a", "6", 7, false],
    ["a", "34", 11, true],
    ["a", "34", 12, false],
    ["a", "-16", 0, false],
    ["a", "", 0, false],
    ["a", "1e1", 0, false],
    ["a", "9".repeat(17), 0, false]
  ])("for %s of %j with %d bits is valid: %s", (challenge, solution, difficulty, fits) => {
    expect(solves(challenge, solution, difficulty)).toBe(fits)
  })
})

layer(Layer.merge(secrets(1), inMemoryRandomness))("a challenge", (it) => {
  it.effect("is accepted for its tenant if it is solved, until it expires", () =>
    Effect.gen(function* () {
      const { challenge, expiresAt } = yield* makeChallenge("acme")
      const token = solve(challenge)
      const proofId = yield* believed(token)
      assert.match(proofId ?? "", /^[0-9a-f]{24}$/u)
      assert.isNull(yield* believed(token, "other"))
      assert.isNull(yield* Effect.provide(believed(token), secrets(2)))
      const other = yield* makeChallenge("acme")
      assert.notStrictEqual(other.challenge, challenge)
      assert.strictEqual(expiresAt, challengeLifetimeMillis)
      yield* TestClock.setTime(expiresAt - 1)
      assert.strictEqual(yield* believed(token), proofId)
      yield* TestClock.setTime(expiresAt)
      assert.isNull(yield* believed(token))
    })
  )
  it.effect("rejects every forged token", () =>
    Effect.gen(function* () {
      const { challenge } = yield* makeChallenge("acme")
      const [payload = "", signature = ""] = challenge.split(".")
      const easier = Buffer.from(JSON.stringify(["acme", "0", 0, 1e15])).toString("base64url")
      const forged = [
        "",
        ".",
        "...",
        challenge,
        `${challenge}.`,
        `${challenge}.1.1`,
        `${easier}.${signature}.1`,
        `${easier}..1`,
        `${payload}.${signature.slice(1)}.1`,
        "x".repeat(100_000)
      ]
      for (const token of forged) assert.isNull(yield* believed(token), token.slice(0, 80))
    })
  )
})
