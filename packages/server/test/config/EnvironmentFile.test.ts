import { parseEnv } from "node:util"
import { describe, expect, it } from "vitest"
import { checkEnvironment } from "../../src/config/CheckEnvironment.ts"
import { environmentFile, unportable } from "../../src/config/EnvironmentFile.ts"
import { variableCatalog } from "../../src/config/VariableCatalog.ts"

const values = { LEADLOOM_ADMIN_KEY: "k".repeat(64), LEADLOOM_PORT: "5000" }

describe("the environment file", () => {
  it("sets the given variables only", () => {
    expect(parseEnv(environmentFile(values))).toEqual(values)
    const url = "http://127.0.0.1:5000"
    expect(parseEnv(environmentFile(values, url))).toEqual({ ...values, LEADLOOM_URL: url })
  })

  it("describes every variable except those for one start, in short lines without Markdown", () => {
    const lines = environmentFile({}).split("\n")
    const left = Object.keys(variableCatalog).filter((name) => !lines.includes(`#${name}=`))
    expect(left).toEqual(["LEADLOOM_SECRET_KEY_LOST", "LEADLOOM_NEW_DATABASE"])
    expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([])
    expect(lines.filter((line) => line.length > 100 || /`|\]\(/u.test(line))).toEqual([])
    expect(lines).toContain("# Port to listen on; 0 picks a free one. Default: 4800.")
  })

  it("cannot contain values that Docker, systemd and shells read differently", () => {
    const url = "postgres://me:p%40ss@[::1]:5432/db?sslmode=require"
    expect(unportable({ ...values, LEADLOOM_DATABASE_URL: url })).toEqual([])
    for (const value of ["a b", "a$b", "a#b", 'a"b', "a'b", "a\\b", "a\nb"])
      expect(unportable({ LEADLOOM_DATA_DIR: value })).toEqual(["LEADLOOM_DATA_DIR"])
  })
})

describe("checkEnvironment", () => {
  it("reports absolute places without secrets", () => {
    const { mistakes, places, warnings } = checkEnvironment({
      LEADLOOM_ADMIN_KEY: "k".repeat(32),
      LEADLOOM_DATA_DIR: "/srv/leadloom/../data",
      LEADLOOM_DATABASE_URL: "postgres://me:very-secret@db.example/leadloom"
    })
    expect([mistakes, warnings.length]).toEqual([[], 1])
    expect(places).toEqual({
      dataDir: "/srv/data",
      database: "postgres://me@db.example/leadloom",
      objects: "/srv/data/objects",
      address: "127.0.0.1:4800"
    })
  })

  it("reports a database URL of an unknown form without its password", () => {
    const { mistakes, places } = checkEnvironment({ LEADLOOM_DATABASE_URL: "mysql://me:very-secret@db/x" })
    expect(mistakes).toEqual([expect.stringMatching(/^LEADLOOM_DATABASE_URL begins with "mysql"\. Use sqlite:/u)])
    expect(mistakes.join("")).not.toContain("very-secret")
    expect(places).toBeNull()
  })
})
