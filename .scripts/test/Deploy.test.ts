import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { variableCatalog } from "@leadloom/server/internal/config/VariableCatalog"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (...path: ReadonlyArray<string>): string => readFileSync(join(root, ...path), "utf8")

/** Returns the instructions of a Dockerfile, with their continuation lines joined. */
const instructionsOf = (text: string): ReadonlyArray<{ readonly name: string; readonly rest: string }> =>
  text
    .replace(/^#.*\n/gmu, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ name: line.split(" ")[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }))

const known = ["FROM", "WORKDIR", "COPY", "RUN", "LABEL", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL"]
const docker = instructionsOf(read("deploy", "Dockerfile"))
const restOf = (name: string): ReadonlyArray<string> =>
  docker.filter((one) => one.name === name).map(({ rest }) => rest.trim())

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).error === undefined

describe("the Dockerfile", () => {
  it("has only known instructions, and commands in JSON form so that signals reach the server", () => {
    const names = docker.map(({ name }) => name)
    expect(names.filter((name) => ![...known, "HEALTHCHECK", "ENTRYPOINT", "CMD"].includes(name))).toEqual([])
    expect(JSON.parse(restOf("ENTRYPOINT")[0] ?? "")).toEqual(["leadloom"])
    expect(JSON.parse(restOf("CMD")[0] ?? "")).toEqual(["serve"])
    const [, health = ""] = /CMD (\[.*\])$/u.exec(restOf("HEALTHCHECK")[0] ?? "") ?? []
    expect(JSON.parse(health).slice(0, 2)).toEqual(["node", "-e"])
  })

  it("runs the workspace's version of Node.js as a user without rights", () => {
    const [, version] = /^ {2}node: (\S+)$/mu.exec(read("pnpm-workspace.yaml")) ?? []
    for (const base of restOf("FROM")) expect(base).toMatch(new RegExp(`^node:${version}-`, "u"))
    expect(restOf("USER")).toEqual(["node"])
  })

  it("has a health check that fails without a server", () => {
    const [, health = "[]"] = /CMD (\[.*\])$/u.exec(restOf("HEALTHCHECK")[0] ?? "") ?? []
    const [, ...args] = JSON.parse(health) as ReadonlyArray<string>
    expect(spawnSync(process.execPath, args, { env: { LEADLOOM_PORT: "1" } }).status).toBe(1)
  })

  it("has shell commands with valid syntax", () => {
    for (const script of restOf("RUN")) execFileSync("sh", ["-n", "-c", script])
  })
})

describe("the files of deploy", () => {
  it("set only variables that exist", () => {
    const files = readdirSync(join(root, "deploy"), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile()
    )
    const text = files.map((one) => readFileSync(join(one.parentPath, one.name), "utf8")).join("\n")
    const names = new Set(text.match(/LEADLOOM_[A-Z_]+/gu))
    expect(names.size).toBeGreaterThan(2)
    expect([...names].filter((name) => !Object.hasOwn(variableCatalog, name))).toEqual([])
  })

  it("contain no password", () => {
    expect(read("deploy", "compose.yaml")).not.toMatch(/PASSWORD: (?!\$\{POSTGRES_PASSWORD:\?)/u)
  })
})

describe("leadloom.service", () => {
  it.runIf(hasSystemd)(
    `is accepted by systemd${hasSystemd ? "" : " (NOT CHECKED: no systemd on this machine)"}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), "leadloom-unit-"))
      try {
        const file = join(folder, "leadloom.service")
        // The command is not installed on this machine.
        writeFileSync(
          file,
          read("deploy", "systemd", "leadloom.service").replace("/usr/local/bin/leadloom", process.execPath)
        )
        const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" })
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
  )
})
