import { describe, expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import { unknownVariables } from "../../src/config/UnknownVariables.ts"
import { variableCatalog } from "../../src/config/VariableCatalog.ts"

const only = (name: string, value = "1"): string => unknownVariables({ [name]: value }).join("\n")

describe("unknown variables", () => {
  it.each([
    ["LEADLOOM_PORTT", "LEADLOOM_PORT"],
    ["LEADLOOM_DB_URL", "LEADLOOM_DATABASE_URL"],
    ["LEADLOOM_ADMINKEY", "LEADLOOM_ADMIN_KEY"],
    ["LEADLOOM_LOGLEVEL", "LEADLOOM_LOG_LEVEL"],
    ["LEADLOOM_STRIPE_SECRETKEY", "LEADLOOM_STRIPE_SECRET_KEY"]
  ])("%s suggests %s", (name, similar) => {
    expect(only(name)).toBe(`${name} is not a variable of Leadloom. Did you mean ${similar}?`)
  })

  it("without a similar name state how to list all variables", () => {
    expect(only("LEADLOOM_ZZZZZZ")).toMatch(
      /^LEADLOOM_ZZZZZZ is not a variable of Leadloom\. Unset it\..*init --out -$/u
    )
    expect(only(`LEADLOOM_${"PORT".repeat(50_000)}`)).toContain("Unset it.")
  })

  it("of a Kubernetes Service state the setting that removes them", () => {
    for (const name of ["LEADLOOM_SERVICE_HOST", "LEADLOOM_SERVICE_PORT_HTTP", "LEADLOOM_PORT_4800_TCP_ADDR"])
      expect(only(name)).toContain("enableServiceLinks: false")
  })

  it("make the configuration invalid, together with all other mistakes", () => {
    expect(readConfig({ LEADLOOM_PORTT: "1", LEADLOOM_PORT: "many" })).toEqual({
      mistakes: [expect.stringMatching(/^LEADLOOM_PORT must be/u), expect.stringMatching(/^LEADLOOM_PORTT is not/u)]
    })
  })

  it("are none of the catalogue, the command line, other programs, or empty", () => {
    const known = Object.fromEntries(Object.keys(variableCatalog).map((name) => [name, "1"]))
    const others = { LEADLOOM_URL: "1", LEADLOOM_API_KEY: "1", PORT: "1", LEADLOOM_UNUSED: " " }
    expect(unknownVariables({ ...known, ...others })).toEqual([])
  })
})
