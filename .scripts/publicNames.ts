/**
 * Writes `docs/reference/packages.md`: the public names of the libraries, with the first sentence of their docstrings.
 * The page is the reviewed list of the public API, because a new export changes it. Tests:
 * `.scripts/test/Libraries.test.ts`.
 */
import { readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { libraryNames } from "./library.ts"

/** An exported name of a library. */
export interface PublicName {
  readonly name: string
  /** Whether the name exists only at compile time. */
  readonly isType: boolean
  /** The first sentence of the docstring; empty if there is none. */
  readonly summary: string
}

/** Returns the first sentence of the docstring before a declaration. */
const summaryOf = (source: string, name: string): string => {
  const declaration = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*export (?:const|class|function|interface|type) ${name}\b`,
    "u"
  )
  const [, text = ""] = declaration.exec(source) ?? []
  const words = text
    .replaceAll(/^\s*\* ?/gmu, "")
    .trim()
    .replaceAll(/\s+/gu, " ")
  return /^.*?[.:](?= |$)/u.exec(words)?.[0].replace(/:$/u, ".") ?? words
}

/** Returns the names that the entry of a library exports, in alphabetical order. */
export const publicNames = async (root: string, library: string): Promise<ReadonlyArray<PublicName>> => {
  const folder = join(root, "packages", library, "src")
  const entry = await readFile(join(folder, "index.ts"), "utf8")
  const exports = [...entry.matchAll(/^export (type )?\{([^}]+)\} from "([^"]+)"/gmu)]
  const names = exports.map(async ([, type, list = "", path = ""]) => {
    const source = await readFile(join(folder, path), "utf8")
    return list.split(",").map((item) => {
      const [declared = "", name = declared] = item
        .trim()
        .replace(/^type /u, "")
        .split(" as ")
      const isType = type !== undefined || item.trim().startsWith("type ")
      return { name, isType, summary: summaryOf(source, declared) }
    })
  })
  return (await Promise.all(names)).flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const section = (library: string, description: string, names: ReadonlyArray<PublicName>): string => {
  const rows = names.map(({ isType, name, summary }) => `| \`${name}\`${isType ? " (type)" : ""} | ${summary} |`)
  return [`## @leadloom/${library}`, "", description, "", "| name | meaning |", "|---|---|", ...rows].join("\n")
}

const head = `# Packages

The public API of the npm packages. \`npm run generate\` writes this page from the entries \`packages/<name>/src/index.ts\`.
[\`@leadloom/client\`](../../packages/client/README.md) is described on its own page. Everything else, and every path below
\`@leadloom/<name>/internal/\`, is internal and changes without notice.`

/** Returns the text of the page. */
export const packagesPage = async (root: string): Promise<string> => {
  const sections = libraryNames.map(async (library) => {
    const { description } = JSON.parse(await readFile(join(root, "packages", library, "package.json"), "utf8"))
    return section(library, description, await publicNames(root, library))
  })
  return `${[head, ...(await Promise.all(sections))].join("\n\n")}\n`
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  await writeFile(join(root, "docs", "reference", "packages.md"), await packagesPage(root))
}
