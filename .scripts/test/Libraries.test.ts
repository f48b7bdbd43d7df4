import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { libraries } from "../build.ts"
import { libraryNames } from "../library.ts"
import { packInto } from "../pack.ts"
import { packagesPage, publicNames } from "../publicNames.ts"

const run = promisify(execFile)
const root = fileURLToPath(new URL("../..", import.meta.url))
const tool = (name: string): string => join(root, "node_modules", ".bin", name)

let folder = ""
let project = ""

const installed = (...path: ReadonlyArray<string>): string => join(project, "node_modules", ...path)

const manifestOf = async (name: string) =>
  JSON.parse(await readFile(installed("@leadloom", name, "package.json"), "utf8"))

/**
 * Installs a package from its archive. Links its other dependencies to the copies of this workspace, so that the test
 * needs no registry. An undeclared dependency is therefore missing.
 */
const install = async (name: string): Promise<void> => {
  const target = installed("@leadloom", name)
  await mkdir(target, { recursive: true })
  const archive = (await readdir(folder)).find((file) => file.startsWith(`leadloom-${name}-`)) ?? ""
  await run("tar", ["-xzf", join(folder, archive), "--strip-components=1", "-C", target])
  const { dependencies, peerDependencies } = await manifestOf(name)
  const others = Object.keys({ ...dependencies, ...peerDependencies }).filter((one) => !one.startsWith("@leadloom/"))
  for (const other of others) {
    await mkdir(dirname(installed(other)), { recursive: true })
    await symlink(join(root, "packages", name, "node_modules", other), installed(other)).catch((error) => {
      if (error.code !== "EEXIST") throw error
    })
  }
}

/** A program that uses the types of every package. Each `@ts-expect-error` states a use of their declarations. */
const consumer = `import { Api, NotFound } from "@leadloom/api"
import { readRelay, smtpTransportLayer } from "@leadloom/connectors"
import { Crm, type CrmShape, EmailTransport, Objects, ProviderFailure, refused, SmsProvider } from "@leadloom/core"
import { type Adapters, layer, readConfig, StartupFailed } from "@leadloom/server"
import * as Store from "@leadloom/store"
import { Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"

const objects = Layer.succeed(Objects, { put: () => Effect.void, get: () => Effect.succeed(null), remove: () => Effect.void })
const smsProvider = Layer.succeed(SmsProvider, {
  configured: true,
  send: (order) => Effect.fail(refused("sms", order.text.body)),
  find: () => Effect.succeed([]),
  media: () => Effect.fail(refused("sms", "none"))
})
const relay = readRelay("smtp://127.0.0.1:25")
const adapters: Adapters = {
  objects,
  smsProvider,
  ...(relay === null ? {} : { emailTransport: smtpTransportLayer(relay) })
}
// @ts-expect-error a layer of another port
const wrong: Adapters = { emailTransport: smsProvider }
// @ts-expect-error the port requires more methods
const incomplete: CrmShape = { configured: Effect.void }
// @ts-expect-error a transport needs the clearance
const uncleared = Effect.flatMap(EmailTransport, (transport) => transport.send({ grant: null, mail: null }))
const config = readConfig({ LEADLOOM_PORT: "0" })
const server = "mistakes" in config ? null : layer(config, adapters)
const refusing: Adapters = { objects: Layer.effect(Objects, Effect.fail(new StartupFailed({ line: "no" }))) }
await Effect.runPromise(Effect.provide(Store.ping, Store.layer({ url: "sqlite::memory:" })))
void [wrong, incomplete, uncleared, server, refusing, Crm, NotFound]
console.log(Object.keys(OpenApi.fromApi(Api).paths).length > 100, refused("mail", "no") instanceof ProviderFailure)
`

const compilerOptions = {
  noEmit: true,
  strict: true,
  target: "es2024",
  types: ["node"],
  allowImportingTsExtensions: true
}
const projects = {
  "tsconfig.nodenext.json": { module: "nodenext", moduleResolution: "nodenext" },
  "tsconfig.bundler.json": { module: "esnext", moduleResolution: "bundler" }
}

beforeAll(async () => {
  expect(await libraries(root)).toMatchObject({ ok: true })
  folder = await mkdtemp(join(tmpdir(), "leadloom-libraries-"))
  project = join(folder, "project")
  // Other libraries depend on the client. It is last, because its folder has no link to its optional dependency.
  const all = [...libraryNames, "client"]
  await packInto(root, folder, all)
  await mkdir(installed("@types"), { recursive: true })
  await symlink(join(root, "node_modules", "@types", "node"), installed("@types", "node"))
  for (const name of all) await install(name)
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }))
  await writeFile(join(project, "consumer.ts"), consumer)
  for (const file of ["main.ts", "MailApiTransport.ts"])
    await cp(join(root, "examples", "embed-server", file), join(project, file))
  for (const [name, options] of Object.entries(projects)) {
    const text = { compilerOptions: { ...compilerOptions, ...options }, include: ["*.ts"] }
    await writeFile(join(project, name), JSON.stringify(text))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the packed libraries", () => {
  it.each(Object.keys(projects))("type-check in an empty project with %s", async (config) => {
    const outcome = await run(tool("tsc"), ["-p", join(project, config)]).catch(({ stdout }) => ({ stdout }))
    expect(outcome.stdout).toBe("")
  })

  it("run in an empty project", async () => {
    const { stdout } = await run(process.execPath, [join(project, "consumer.ts")], { cwd: project })
    expect(stdout).toBe("true true\n")
  })

  it("start a server with an adapter of the program, which serves the contract and its page", async () => {
    const env = { PATH: process.env["PATH"], LEADLOOM_PORT: "0", LEADLOOM_DATA_DIR: join(folder, "data") }
    const server = spawn(process.execPath, [join(project, "main.ts")], { env, stdio: ["ignore", "pipe", "inherit"] })
    try {
      const lines = createInterface(server.stdout)
      let url = ""
      for await (const line of lines) {
        url = /^ready at (.+)$/u.exec(line)?.[1] ?? ""
        if (url !== "") break
      }
      for (const path of ["/health", "/openapi.json", "/api/v1/docs"])
        expect((await fetch(`${url}${path}`)).status).toBe(200)
    } finally {
      server.kill("SIGTERM")
    }
    expect(await once(server, "close")).toEqual([0, null])
  })

  it.each(libraryNames)("%s is clean for publint and attw", async (name) => {
    const archive = (await readdir(folder)).find((file) => file.startsWith(`leadloom-${name}-`)) ?? ""
    await run(tool("publint"), ["run", join(folder, archive), "--strict"])
    // The packages are ES modules only, as Effect is.
    await run(tool("attw"), [join(folder, archive), "--profile", "esm-only"])
  })

  it.each(libraryNames)("%s contains licence, README and compiled modules only", async (name) => {
    const files = await readdir(installed("@leadloom", name), { recursive: true, withFileTypes: true })
    const names = files.filter((file) => file.isFile()).map((file) => file.name)
    for (const file of ["LICENSE", "README.md", "index.js", "index.d.ts"]) expect(names).toContain(file)
    expect(names.filter((file) => /\.map$|(?<!\.d)\.ts$|tsbuildinfo/u.test(file))).toEqual([])
    const manifest = await manifestOf(name)
    expect(manifest).toMatchObject({ license: "Apache-2.0", type: "module", peerDependencies: { effect: "~4.1.0" } })
    for (const field of ["private", "devDependencies", "scripts", "repository"]) expect(manifest[field]).toBeUndefined()
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/u)
    expect(JSON.stringify(manifest)).not.toMatch(/leadloom:source|workspace:|catalog:/u)
  })
})

describe("the public API", () => {
  it("is the reviewed list", async () => {
    expect(await packagesPage(root)).toBe(await readFile(join(root, "docs", "reference", "packages.md"), "utf8"))
  })

  it.each(libraryNames)("of %s has a docstring for every name", async (name) => {
    const names = await publicNames(root, name)
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter(({ summary }) => summary === "").map((one) => one.name)).toEqual([])
  })

  it("consists of the listed values at run time", async () => {
    const imports = libraryNames.map((name) => `Object.keys(await import("@leadloom/${name}")).toSorted()`)
    const script = `console.log(JSON.stringify([${imports.join()}]))`
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: project })
    const listed = await Promise.all(libraryNames.map((name) => publicNames(root, name)))
    const values = listed.map((names) => names.filter(({ isType }) => !isType).map((one) => one.name))
    expect(JSON.parse(stdout)).toEqual(values)
  })

  it.each(libraryNames)("of %s has only the entry and paths marked as internal", async (name) => {
    const { exports } = await manifestOf(name)
    const paths = Object.keys(exports).filter((path) => !path.endsWith(".json"))
    expect(paths).toEqual([".", "./internal/*"])
  })
})
