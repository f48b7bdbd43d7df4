import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

/** The root of the repository. */
export const repository = fileURLToPath(new URL("../../../", import.meta.url))

/** A source file of a package. */
export interface SourceFile {
  /** The path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly packageName: string
  readonly text: string
  /** The specifiers of imported and re-exported modules, including types. */
  readonly imports: ReadonlyArray<string>
  readonly lines: number
}

const specifier =
  /(?:^|\n)\s*(?:import|export)\b[^"'`;]*?\bfrom\s*"([^"]+)"|(?:^|\n)\s*import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gu

const importsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(specifier)].map((match) => match[1] ?? match[2] ?? match[3] ?? "").filter((name) => name !== "")

/** Returns all TypeScript sources below `packages/<name>/src`. */
export const sourcesOf = (packageName: string): ReadonlyArray<SourceFile> => {
  const root = join(repository, "packages", packageName, "src")
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const text = readFileSync(file, "utf8")
      const path = relative(repository, file).replaceAll("\\", "/")
      return { path, packageName, text, imports: importsOf(text), lines: text.split("\n").length - 1 }
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
