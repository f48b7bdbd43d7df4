import { type ChildProcess, execFile, spawn } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildConsole, bundle } from "../build.ts"
import { bundledFolders } from "../notices.ts"
import { packInto } from "../pack.ts"

const run = promisify(execFile)
const root = fileURLToPath(new URL("../..", import.meta.url))
const adminKey = "test-admin-key-0123456789-0123456789"

let folder = ""
let project = ""
let home = ""

/** The environment of a user who has only Node.js and npm. */
const cleanEnvironment = () => ({
  HOME: home,
  TMPDIR: home,
  PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
  NO_COLOR: "1",
  LEADLOOM_ADMIN_KEY: adminKey
})

const npm = (args: ReadonlyArray<string>, cwd: string) =>
  run("npm", [...args, "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    env: { ...cleanEnvironment(), npm_config_cache: join(home, "npm") }
  })

/**
 * Packs the copy of better-sqlite3 in this workspace, so that the test needs no registry. Its dependency is needed only
 * to compile it.
 */
const packDatabase = async (): Promise<void> => {
  const copy = join(folder, "better-sqlite3")
  const source = join(root, "packages", "cli", "node_modules", "better-sqlite3")
  for (const part of ["lib", "prebuilds", "package.json"])
    await cp(join(source, part), join(copy, part), { recursive: true, dereference: true })
  const manifest = JSON.parse(await readFile(join(copy, "package.json"), "utf8"))
  await writeFile(join(copy, "package.json"), JSON.stringify({ ...manifest, dependencies: {} }))
  await npm(["pack", "--pack-destination", folder], copy)
}

const archiveOf = async (name: RegExp): Promise<string> => {
  const found = (await readdir(folder)).find((file) => name.test(file))
  return join(folder, found ?? "missing.tgz")
}

const contentsOf = async (archive: string): Promise<ReadonlyArray<string>> =>
  (await run("tar", ["-tzf", archive])).stdout.trimEnd().split("\n")

const installed = (...path: ReadonlyArray<string>): string => join(project, "node_modules", ...path)

beforeAll(async () => {
  for (const build of [buildConsole, bundle]) expect(await build(root)).toMatchObject({ ok: true })
  folder = await mkdtemp(join(tmpdir(), "leadloom-pack-"))
  project = join(folder, "project")
  home = join(folder, "home")
  for (const one of [project, home]) await mkdir(one)
  await Promise.all([packInto(root, folder, ["leadloom", "client"]), packDatabase()])
  await writeFile(join(project, "package.json"), "{}")
  const archives = await Promise.all([/^leadloom-\d/u, /^leadloom-client-/u, /^better-sqlite3-/u].map(archiveOf))
  await npm(["install", ...archives], project)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Starts the installed command. The server may read only the project and the folders of the system, so it fails if it
 * needs a file of this workspace.
 */
const startLeadloom = (args: ReadonlyArray<string>): ChildProcess =>
  spawn(
    process.execPath,
    [
      "--permission",
      `--allow-fs-read=${folder}/`,
      `--allow-fs-write=${folder}/`,
      "--allow-child-process",
      "--allow-addons",
      installed("leadloom", "bin", "leadloom.mjs"),
      ...args
    ],
    { cwd: project, env: cleanEnvironment(), stdio: ["ignore", "pipe", "pipe"] }
  )

/** Runs the installed command until it ends. Rejects if it fails. */
const leadloom = async (...args: ReadonlyArray<string>): Promise<string> =>
  (await run(installed(".bin", "leadloom"), args, { cwd: project, env: cleanEnvironment() })).stdout

/** Returns the URL that the server logs. Rejects if the server ends first. */
const urlOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ""
    const read = (chunk: Buffer): void => {
      output += chunk.toString("utf8")
      const [, url] = /"message":"listening","url":"([^"]+)"/u.exec(output) ?? []
      if (url !== undefined) resolve(url)
    }
    server.stdout?.on("data", read)
    server.stderr?.on("data", read)
    server.on("close", (code) => reject(new Error(`The server ended with ${code}: ${output}`)))
  })

const mail = (text: string): string =>
  `From: Jo Smith <jo@customer.example>\r\nTo: office@acme.example\r\nSubject: Roof\r\nMessage-ID: <1@customer.example>\r\n` +
  `Date: Mon, 23 Nov 2026 09:00:00 +0000\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>${text}</p>\r\n`

describe("the packed server", () => {
  it("serves a message from an empty folder, without any file of this workspace", async () => {
    const server = startLeadloom(["serve", "--port", "0"])
    const ended = new Promise((resolve) => server.on("close", resolve))
    try {
      const url = await urlOf(server)
      expect((await fetch(`${url}/health`)).status).toBe(200)
      const api = `${url}/api/v1`
      for (const path of ["/docs", "/openapi.json"]) expect((await fetch(`${api}${path}`)).status).toBe(200)
      const document = await (await fetch(url)).text()
      const [asset = ""] = /\/assets\/[\w-]+\.js/u.exec(document) ?? []
      expect((await fetch(`${url}${asset}`)).headers.get("content-type")).toBe("text/javascript; charset=utf-8")
      await leadloom("tenants", "create", "acme", "--name", "Acme", "--domain", "acme.example", "--url", url)
      const file = join(project, "roof.eml")
      await writeFile(file, mail("How much is a <b>new roof</b>?"))
      // The parse process reads the mail, so this proves that its program is in the package.
      await leadloom("import", file, "--tenant", "acme", "--url", url)
      const headers = { authorization: `Bearer ${adminKey}` }
      const page = await fetch(`${api}/tenants/acme/conversations`, { headers })
      expect(await page.text()).toContain("How much is a new roof?")
    } finally {
      server.kill("SIGTERM")
    }
    expect(await ended).toBe(0)
    expect(await readdir(join(project, "leadloom-data"))).toContain("leadloom.db")
  })

  it("contains the manual page, which npm installs", async () => {
    const manifest = JSON.parse(await readFile(installed("leadloom", "package.json"), "utf8"))
    expect(manifest.man).toEqual(["man/leadloom.1"])
    expect(await readFile(installed("leadloom", "man", "leadloom.1"), "utf8")).toContain(".TH LEADLOOM 1")
  })

  it("contains the samples of the demo", async () => {
    const env = { ...cleanEnvironment(), LEADLOOM_DATA_DIR: join(folder, "demo") }
    const server = spawn(installed(".bin", "leadloom"), ["serve", "--demo", "--port", "0"], { cwd: folder, env })
    const ended = new Promise((resolve) => server.on("close", resolve))
    let output = ""
    await new Promise<void>((resolve) => {
      server.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString("utf8")
        if (output.includes("Stop with Ctrl-C")) resolve()
      })
      void ended.then(() => resolve())
    })
    server.kill("SIGTERM")
    expect(await ended).toBe(0)
    expect(output).toContain("16 messages arrive")
  })

  it("runs with npx", async () => {
    const { stdout } = await npm(["exec", "--", "leadloom", "--version"], project)
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
    expect(stdout.trim()).toBe(version)
  })

  it("has no dependency except the native module, and states licence and supported versions", async () => {
    const manifest = JSON.parse(await readFile(installed("leadloom", "package.json"), "utf8"))
    const { engines, version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
    expect(manifest).toMatchObject({ name: "leadloom", version, engines, license: "Apache-2.0", type: "module" })
    expect(Object.keys(manifest.dependencies)).toEqual(["better-sqlite3"])
    expect(manifest.dependencies["better-sqlite3"]).toMatch(/^\d+\.\d+\.\d+$/u)
    for (const field of ["private", "scripts", "devDependencies"]) expect(manifest[field]).toBeUndefined()
  })

  it("contains licences and no source maps, sources or paths of this machine", async () => {
    const files = await contentsOf(await archiveOf(/^leadloom-\d/u))
    for (const name of ["LICENSE", "README.md", "THIRD-PARTY-NOTICES.txt", "dist/main.mjs", "dist/ParseProgram.mjs"])
      expect(files).toContain(`package/${name}`)
    expect(files.filter((name) => /\.(?:map|ts)$|\/src\/|\/test\/|metafile/u.test(name))).toEqual([])
    const notices = await readFile(installed("leadloom", "THIRD-PARTY-NOTICES.txt"), "utf8")
    for (const name of ["effect", "react-dom"])
      expect(notices).toMatch(new RegExp(String.raw`^${name} \d+\.\d+\.\d+ \(MIT\)$`, "mu"))
    const packed = await readdir(installed("leadloom", "dist"), { recursive: true, withFileTypes: true })
    for (const file of packed.filter((entry) => entry.isFile()))
      expect((await readFile(join(file.parentPath, file.name), "utf8")).includes(root)).toBe(false)
  })
})

describe("the packed client", () => {
  it("is importable, as ESM and as CommonJS, and has its licence", async () => {
    const script = `import("@leadloom/client").then(({ createClient }) => console.log(typeof createClient))`
    expect((await run(process.execPath, ["-e", script], { cwd: project })).stdout).toBe("function\n")
    const common = 'console.log(typeof require("@leadloom/client").createClient)'
    expect((await run(process.execPath, ["--input-type=commonjs", "-e", common], { cwd: project })).stdout).toBe(
      "function\n"
    )
    expect(await readFile(installed("@leadloom", "client", "LICENSE"), "utf8")).toContain("Apache License")
    const files = await contentsOf(await archiveOf(/^leadloom-client-/u))
    for (const name of ["index.d.ts", "index.d.cts", "effect.js", "effect.cjs"])
      expect(files).toContain(`package/dist/${name}`)
    expect(files.filter((name) => name.includes("/test/") || name.endsWith("tsconfig.json"))).toEqual([])
  })
})

describe("bundledFolders", () => {
  it("returns each package once and no folders of this workspace", () => {
    const inputs = ["../../node_modules/.pnpm/a@1/node_modules/@s/a/x.js", "src/main.ts"]
    const twice = [...inputs, "../../node_modules/.pnpm/a@1/node_modules/@s/a/y/z.js"]
    const metafile = { inputs: Object.fromEntries(twice.map((path) => [path, {}])) }
    expect(bundledFolders(metafile, "/w/packages/cli")).toEqual(["/w/node_modules/.pnpm/a@1/node_modules/@s/a"])
  })
})
