/**
 * The npm packages of the libraries: compiled modules with declarations, and a manifest that npm understands. Sources
 * and source maps are not packed. Tests: `.scripts/test/Libraries.test.ts`.
 */
import { existsSync } from "node:fs"
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"

/** The names of the libraries, in the order of their dependencies. */
export const libraryNames = ["core", "api", "store", "connectors", "mcp", "server"] as const

type Versions = Readonly<Record<string, string>>

interface LibraryManifest {
  readonly dependencies: Versions
  readonly exports: Readonly<Record<string, unknown>>
  readonly files: ReadonlyArray<string>
  readonly [field: string]: unknown
}

/** The fields of a manifest that only this workspace reads. */
const workspaceFields: ReadonlyArray<string> = ["devDependencies", "private", "scripts"]

/** The condition that selects the sources. The packages do not contain them. */
const sourceCondition = "leadloom:source"

const readManifest = async (folder: string): Promise<LibraryManifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8"))

/** Replaces `workspace:` and `catalog:` by the installed version, so that npm installs exactly the tested versions. */
const exactVersions = async (folder: string, ranges: Versions): Promise<Versions> => {
  const entries = Object.keys(ranges).map(async (name) => {
    const { version } = await readManifest(join(folder, "node_modules", name))
    return [name, String(version)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Returns the manifest of the npm package. */
const publishedManifest = async (folder: string): Promise<LibraryManifest> => {
  const manifest = await readManifest(folder)
  const text = JSON.stringify(
    { ...manifest, dependencies: await exactVersions(folder, manifest.dependencies) },
    (key, value: unknown) => (key === sourceCondition || workspaceFields.includes(key) ? undefined : value)
  )
  return JSON.parse(text)
}

/**
 * Returns a compiled file without the reference to its source map. Declarations keep the extension `.ts` of the sources
 * in their imports, which older versions of TypeScript reject; it becomes `.js`.
 */
const publishedText = (text: string): string =>
  text.replace(/^\/\/# sourceMappingURL=.*\n?/mu, "").replaceAll(/(?<=(?:from|import\() ?"\.[^"]*)\.ts(?=")/gu, ".js")

/** Copies the compiled modules. A module without a source is a remainder of an earlier build and is not copied. */
const copyModules = async (from: string, to: string): Promise<void> => {
  const files = await readdir(join(from, "dist"), { recursive: true })
  for (const file of files) {
    const [, name] = /^(.+?)(?:\.d\.ts|\.js)$/u.exec(file) ?? []
    if (name === undefined || !existsSync(join(from, "src", `${name}.ts`))) continue
    const target = join(to, "dist", file)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, publishedText(await readFile(join(from, "dist", file), "utf8")))
  }
}

/** Fills the folder of a library's npm package. `tsc -b` must have compiled the library. */
export const stageLibrary = (name: (typeof libraryNames)[number]) => async (root: string, folder: string) => {
  const source = join(root, "packages", name)
  const manifest = await publishedManifest(source)
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  await copyModules(source, folder)
  const others = ["README.md", ...manifest.files.filter((part) => !["dist", "LICENSE"].includes(part))]
  for (const part of others) await cp(join(source, part), join(folder, part), { recursive: true })
}
