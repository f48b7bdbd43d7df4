import { describe, expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"

const mistakesOf = (env: Environment): ReadonlyArray<string> => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes : []
}

describe("secrets that the operator chooses", () => {
  it.each([
    "LEADLOOM_ADMIN_KEY",
    "LEADLOOM_SESSION_SECRET",
    "LEADLOOM_SECRET_KEY",
    "LEADLOOM_VAULT_KEYS",
    "LEADLOOM_CRM_ACTION_SECRET"
  ])("requires 32 characters of %s and names a command that generates them", (name) => {
    expect(mistakesOf({ [name]: "s".repeat(31) })).toEqual([
      `${name} is too short. Use at least 32 characters. Generate one with: openssl rand -hex 32`
    ])
    expect("mistakes" in readConfig({ [name]: "s".repeat(32) })).toBe(false)
  })

  it("accepts distinct vault keys of sufficient length", () => {
    const [first, second] = ["1".repeat(32), "2".repeat(32)]
    const config = readConfig({ LEADLOOM_VAULT_KEYS: `${first}, ${second},${first},` })
    expect("mistakes" in config ? config : config.vaultKeys).toEqual([first, second])
    const [short] = mistakesOf({ LEADLOOM_VAULT_KEYS: `${first},${second.slice(1)}` })
    expect(short).toMatch(/^LEADLOOM_VAULT_KEYS .*at least 32 characters/u)
    expect(short).not.toContain(second.slice(1))
    const many = [..."123456789"].map((digit) => digit.repeat(32)).join(",")
    expect(mistakesOf({ LEADLOOM_VAULT_KEYS: many })).toEqual([
      expect.stringMatching(/^LEADLOOM_VAULT_KEYS contains 9/u)
    ])
  })

  it("accepts CRM callers with long secrets, and with several during a rotation", () => {
    const config = readConfig({
      LEADLOOM_CRM_SSO_SECRET: "sealed-by-the-crm",
      LEADLOOM_CRM_ACTION_SECRET: "the-new-action-secret-of-workflows, the-old-action-secret-of-workflows,"
    })
    expect("mistakes" in config ? config : config.crmCallers.actionSecrets).toHaveLength(2)
    expect(JSON.stringify(config)).not.toMatch(/sealed-by|action-secret/u)
    const wrong = (env: Environment) => mistakesOf(env).map((line) => line.split(" ")[0])
    expect(wrong({ LEADLOOM_CRM_SSO_SECRET: "short" })).toEqual(["LEADLOOM_CRM_SSO_SECRET"])
    expect(wrong({ LEADLOOM_CRM_ACTION_SECRET: `${"s".repeat(32)},${"s".repeat(31)}` })).toEqual([
      "LEADLOOM_CRM_ACTION_SECRET"
    ])
    expect(wrong({ LEADLOOM_CRM_ACTION_SECRET: "a secret with some blanks that is long enough" })).toEqual([
      "LEADLOOM_CRM_ACTION_SECRET"
    ])
  })
})
