import { Vault } from "@leadloom/core/internal/port/system/Vault"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../src/vault/NodeVault.ts"

const vaultOf = (key: string, former: ReadonlyArray<string> = []) =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Vault, (vault) => vault),
      layer(key, former)
    )
  )

const vault = vaultOf("a-secret-key-of-a-deployment")
const secret = "tök\u{1f511}en"

describe("a sealed secret", () => {
  it("opens only at its place, and has a new text each time", async () => {
    const sealed = [vault.seal(secret, "crm:acme:loc"), vault.seal(secret, "crm:acme:loc")]
    expect(new Set(sealed).size).toBe(2)
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/u)
      expect(await Effect.runPromise(vault.open(text, "crm:acme:loc"))).toBe(secret)
    }
  })

  it.each([
    ["at another place", (sealed: string) => [sealed, "crm:other:loc"] as const],
    [
      "changed by one character",
      (sealed: string) =>
        [sealed.slice(0, -4) + (sealed.at(-4) === "A" ? "B" : "A") + sealed.slice(-3), "crm:acme:loc"] as const
    ],
    ["cut", (sealed: string) => [sealed.slice(0, 14), "crm:acme:loc"] as const],
    ["under another version", (sealed: string) => [sealed.replace("v1.", "v2."), "crm:acme:loc"] as const],
    ["that never was one", () => ["secret", "crm:acme:loc"] as const]
  ])("does not open %s", async (_, change) => {
    const [sealed, place] = change(vault.seal(secret, "crm:acme:loc"))
    const exit = await Effect.runPromiseExit(vault.open(sealed, place))
    expect(Exit.isFailure(exit) && exit.cause.reasons[0]).toMatchObject({ error: { _tag: "UnsealFailed" } })
  })

  it("opens with the secret key and every vault key, and is sealed with the first vault key", async () => {
    const sealed = vault.seal(secret, "place")
    const first = vaultOf("a-secret-key-of-a-deployment", ["the-first-vault-key"])
    const next = vaultOf("a-secret-key-of-a-deployment", ["the-next-vault-key", "the-first-vault-key"])
    for (const old of [sealed, first.seal(secret, "place")]) {
      expect([next.isOld(old), next.isOld(next.seal(secret, "place"))]).toEqual([true, false])
      expect(await Effect.runPromise(next.open(old, "place"))).toBe(secret)
    }
    expect(next.keys.slice(1)).toEqual(first.keys)
    expect(next.seal(secret, "place").split(".")[1]).toBe(next.keys[0])
  })

  it("opens with a former secret key only if that is now a vault key", async () => {
    const sealed = vault.seal(secret, "place")
    const changed = vaultOf("the-next-secret-key", ["a-vault-key", "a-secret-key-of-a-deployment"])
    expect(await Effect.runPromise(changed.open(sealed, "place"))).toBe(secret)
    const without = await Effect.runPromiseExit(vaultOf("the-next-secret-key").open(sealed, "place"))
    expect(Exit.isFailure(without)).toBe(true)
  })
})
