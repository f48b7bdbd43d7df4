import { Vault } from "@leadloom/core/port/Vault"
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
  it("opens at its place, and is another text each time", async () => {
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
    expect(Exit.isFailure(exit) && exit.cause.reasons[0]).toMatchObject({ error: { _tag: "SealBroken" } })
  })

  it("opens under a former key until it is sealed again", async () => {
    const sealed = vault.seal(secret, "place")
    const next = vaultOf("the-next-secret-key", ["a-secret-key-of-a-deployment"])
    expect([next.isOld(sealed), next.isOld(next.seal(secret, "place"))]).toEqual([true, false])
    expect(await Effect.runPromise(next.open(sealed, "place"))).toBe(secret)
    const without = await Effect.runPromiseExit(vaultOf("the-next-secret-key").open(sealed, "place"))
    expect(Exit.isFailure(without)).toBe(true)
  })
})
