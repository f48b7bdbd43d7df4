/**
 * `npm run pack`: the packages that npm installs without this workspace, as archives. Tests:
 * `.scripts/test/Pack.test.ts`.
 */
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { libraryNames, stageLibrary } from "./library.ts"
import { thirdPartyNotices } from "./notices.ts"
import { command, type Outcome, StepFailed } from "./step.mjs"

/** The folder of the archives, relative to the root. */
export const packFolder = ".pack"

/** The dependencies that the bundle does not contain, because they have native code. */
const nativeDependencies = ["better-sqlite3"] as const

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly engines: Readonly<Record<string, string>>
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8"))

const run = async (program: string, args: ReadonlyArray<string>, cwd: string): Promise<void> => {
  const { code, output } = await command(program, args, { cwd })
  if (code !== 0) throw new StepFailed(`${basename(program)} ${args.join(" ")} failed:\n${output.trimEnd()}`)
}

/** The files of the bundle that only the build needs. */
const isBuildOnly = (file: string): boolean => /(?:^\.bundle|\.map|^metafile-\w+\.json)$/u.test(basename(file))

/**
 * Fills the folder of the package `leadloom`: the bundle of CLI and server, its executable, its manual page and the
 * data of the demo. The bundle contains all dependencies except those with native code, so npm installs few packages.
 */
const stageLeadloom = async (root: string, folder: string): Promise<void> => {
  const cli = join(root, "packages", "cli")
  const { description, engines, license, version } = await readManifest(root)
  const versions = await Promise.all(
    nativeDependencies.map(async (name) => [name, (await readManifest(join(cli, "node_modules", name))).version])
  )
  const manifest = {
    name: "leadloom",
    version,
    description,
    license,
    type: "module",
    bin: { leadloom: "bin/leadloom.mjs" },
    man: ["man/leadloom.1"],
    exports: { "./package.json": "./package.json" },
    files: ["bin", "demo", "dist", "man", "THIRD-PARTY-NOTICES.txt"],
    engines: { node: engines["node"] },
    dependencies: Object.fromEntries(versions)
  }
  for (const part of ["bin", "demo", "man"]) await cp(join(cli, part), join(folder, part), { recursive: true })
  const filter = (file: string): boolean => !isBuildOnly(file)
  await cp(join(cli, "dist"), join(folder, "dist"), { recursive: true, filter })
  await cp(join(root, "deploy", "npm", "README.md"), join(folder, "README.md"))
  await writeFile(
    join(folder, "THIRD-PARTY-NOTICES.txt"),
    await thirdPartyNotices([
      { metafile: join(cli, "dist", "metafile-esm.json"), folder: cli },
      {
        metafile: join(root, "packages", "console", ".cache", "metafile.json"),
        folder: join(root, "packages", "console")
      }
    ])
  )
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

/**
 * Fills the folder of the package `@leadloom/client`: declarations by TypeScript, then bundles by tsup. Builds into an
 * empty folder, so that no old file is packed.
 */
const stageClient = async (root: string, folder: string): Promise<void> => {
  const client = join(root, "packages", "client")
  for (const part of ["src", "package.json", "README.md", "tsup.config.ts"])
    await cp(join(client, part), join(folder, part), { recursive: true })
  const config = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { rootDir: "src", outDir: "dist", composite: false, lib: ["ES2024", "DOM", "DOM.Iterable"] },
    include: ["src"]
  }
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
  const modules = join(folder, "node_modules")
  await symlink(join(root, "node_modules"), modules, "dir")
  await run(join(root, "node_modules", ".bin", "tsc"), ["-p", folder], root)
  await run(join(root, "node_modules", ".bin", "tsup"), [], folder)
  await rm(modules)
}

type Stage = (root: string, folder: string) => Promise<void>

/** The packages, and the functions that fill their folders. */
const stages: ReadonlyMap<string, Stage> = new Map<string, Stage>([
  ["leadloom", stageLeadloom],
  ["client", stageClient],
  ...libraryNames.map((name) => [name, stageLibrary(name)] as const)
])

/**
 * Writes the archives of packages to a folder, by default of all packages. The bundle of the CLI and the compiled
 * libraries must be up to date.
 */
export const packInto = async (
  root: string,
  folder: string,
  names: Iterable<string> = stages.keys()
): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const name of names) {
    const stage = stages.get(name)
    if (stage === undefined) throw new StepFailed(`Unknown package ${name}.`)
    const staged = join(folder, `.${name}`)
    await rm(staged, { recursive: true, force: true })
    await mkdir(staged)
    await stage(root, staged)
    await cp(join(root, "LICENSE"), join(staged, "LICENSE"))
    await run("npm", ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder], staged)
    await rm(staged, { recursive: true })
  }
}

/** Writes `.pack/leadloom-<version>.tgz`, and `.pack/leadloom-<name>-<version>.tgz` of the client and the libraries. */
export const pack = async (root: string): Promise<Outcome> => {
  const folder = join(root, packFolder)
  await rm(folder, { recursive: true, force: true })
  await packInto(root, folder)
  return { ok: true, note: packFolder }
}
