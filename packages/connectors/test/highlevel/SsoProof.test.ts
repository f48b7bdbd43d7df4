import { sealProof } from "@leadloom/testkit/highlevel/SealProof"
import { describe, expect, it } from "vitest"
import { readSsoProof } from "../../src/highlevel/SsoProof.ts"

const secret = "the-apps-shared-secret"
const user = {
  userId: "ve9EPM428h8vShlRW1KT",
  companyId: "5DP4iH6HLkQsiKESj6rh",
  role: "admin",
  type: "agency",
  activeLocation: "yLKVZpNppIdYpah4RjNE",
  userName: "Jane Miller",
  email: "jane@agency.example"
}

const seal = (text: string, passphrase = secret): string => sealProof(text, passphrase)

/** KNOWN ANSWER from `openssl enc -aes-256-cbc -md md5 -S 0102030405060708`, prefixed with its salt. */
const known =
  "U2FsdGVkX18BAgMEBQYHCCBCiEh/KaLv1gOSBRF4rA4+yInboqlWqk6RnkHw9y5CU1BWgBwYUFH8tiWNqOxoHBVHHYh3IVwTFMCjLL10voVxpJe63NEHmgPNho50H7G1uKOigQuB3Gah5VHv1/PlsvlAXKjO8Ald8hJwdUhkRHkS+x18yF5bkdPnjfeXf8nkRVXKSzdr9KZq9sn+FreQVsev9RY+Xcw/yRGGYELc7F0LDiF+heghbqe9PfrtpKiar9MG+yMyVDHXrqlYLH2/4Rsygr31MkmJ64og2rl/t48="

describe("HighLevel's proof", () => {
  it("names the user and the location", () => {
    expect(readSsoProof(known, secret)).toEqual({ userId: user.userId, activeLocation: user.activeLocation })
  })

  it("decrypts with any salt", () => {
    for (let round = 0; round < 3; round++) {
      expect(readSsoProof(seal(JSON.stringify(user)), secret)?.userId).toBe(user.userId)
    }
  })

  it("may name a user without a location", () => {
    const { activeLocation: _, ...agency } = user
    expect(readSsoProof(seal(JSON.stringify(agency)), secret)).toEqual({ userId: user.userId, activeLocation: null })
    const empty = seal(JSON.stringify({ ...user, activeLocation: "" }))
    expect(readSsoProof(empty, secret)?.activeLocation).toBeNull()
  })

  it.each([
    ["was sealed with another secret", seal(JSON.stringify(user), "another-apps-secret")],
    ["holds no JSON", seal("userId=ve9EPM428h8vShlRW1KT")],
    ["names nobody", seal(JSON.stringify({ activeLocation: user.activeLocation }))],
    ["names somebody by a number", seal(JSON.stringify({ ...user, userId: 7 }))],
    ["names a location by a list", seal(JSON.stringify({ ...user, activeLocation: [user.activeLocation] }))],
    ["holds nothing", ""],
    ["is no base64", `${known.slice(0, -8)}!!!!!!!!`],
    ["is cut off", known.slice(0, -8)],
    ["is its beginning alone", Buffer.from("Salted__12345678").toString("base64")],
    ["begins otherwise", Buffer.from(`Pepper__${"x".repeat(40)}`).toString("base64")],
    ["is endless", known.repeat(20)]
  ])("is rejected when it %s", (_, proof) => {
    expect(readSsoProof(proof, secret)).toBeNull()
  })

  it("is rejected after a change of any byte", () => {
    const bytes = Buffer.from(known, "base64")
    // The salt follows the prefix. A changed byte turns its block into noise and changes one byte of the next block.
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 0x80
      const read = readSsoProof(changed.toString("base64"), secret)
      expect([index, read]).toEqual([index, null])
    }
  })
})
