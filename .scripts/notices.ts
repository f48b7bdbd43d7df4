import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join, resolve } from "node:path"

/** The part of esbuild's metafile that this module reads. */
interface Metafile {
  /** The source files of the bundle, by their path relative to the folder of the build. */
  readonly inputs: Readonly<Record<string, unknown>>
}

interface BundledPackage {
  readonly title: string
  readonly text: string
}

/** Matches the files in which packages store their licence. */
const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/iu

/** Returns the folders of the packages from `node_modules` whose files are in a bundle. */
export const bundledFolders = ({ inputs }: Metafile, folder: string): ReadonlyArray<string> => {
  const found = Object.keys(inputs).flatMap((path) => {
    const [, home] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//u.exec(path) ?? []
    return home === undefined ? [] : [resolve(folder, home)]
  })
  return [...new Set(found)].toSorted()
}

const readPackage = async (folder: string): Promise<BundledPackage> => {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  const files = (await readdir(folder)).filter((name) => licenceFile.test(name)).toSorted()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")))
  const text = texts.map((one) => one.trim()).join("\n\n")
  return { title: `${manifest.name} ${manifest.version} (${manifest.license ?? "licence in the package"})`, text }
}

const head = "Leadloom contains the following packages. Their licences require this notice."

/** A bundle: its metafile, and the folder to which the paths in the metafile are relative. */
interface Bundle {
  readonly metafile: string
  readonly folder: string
}

const foldersOf = async ({ folder, metafile }: Bundle): Promise<ReadonlyArray<string>> =>
  bundledFolders(JSON.parse(await readFile(metafile, "utf8")) as Metafile, folder)

/**
 * Returns the text of `THIRD-PARTY-NOTICES.txt`: name, version and licence of every package in the bundles. Most
 * licences require a copy of their text with every copy of the software.
 */
export const thirdPartyNotices = async (bundles: ReadonlyArray<Bundle>): Promise<string> => {
  const folders = (await Promise.all(bundles.map(foldersOf))).flat()
  const packages = await Promise.all(folders.filter((one) => existsSync(join(one, "package.json"))).map(readPackage))
  const unique = new Map(packages.map((one) => [one.title, one.text]))
  const line = "-".repeat(80)
  const sections = [...unique]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, text]) => `${line}\n${title}\n${line}\n${text === "" ? "The package has no licence file." : text}\n`)
  return `${head}\n\n${sections.join("\n")}`
}
