import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { repository } from "../src/Sources.ts"

const read = (page: string): string => readFileSync(join(repository, page), "utf8")

/** Code may contain brackets and lines that begin with `#`. */
const withoutCode = (text: string): string =>
  text.replaceAll(/^( *)```[\s\S]*?^\1```$/gmu, "").replaceAll(/`[^`\n]*`/gu, (code) => code.replaceAll(/[[\]#]/gu, ""))

/** Returns the relative links of a page, without URLs. */
const linksOf = (page: string): ReadonlyArray<string> =>
  [...withoutCode(read(page)).matchAll(/\]\((?!\w+:)(?<target>[^)\s]+)\)/gu)].map(
    (match) => match.groups?.["target"] ?? ""
  )

/** Returns the anchors that GitHub derives from the headings of a page. A repeated heading gets a number. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ""] of read(page)
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gmu, "")
    .matchAll(/^#{1,6} +(.*)$/gmu)) {
    const text = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
      .trim()
      .toLowerCase()
    const slug = text.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-")
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

const pages = globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "examples/**/*.md"], {
  cwd: repository,
  exclude: (name) => name.includes("node_modules")
}).toSorted()

/** Returns the file and the anchor of a link. */
const targetOf = (page: string, link: string): { readonly file: string; readonly anchor: string | null } => {
  const [path = "", anchor = null] = link.split("#")
  return { file: path === "" ? page : join(dirname(page), path), anchor }
}

const isBroken = (page: string, link: string): boolean => {
  const { anchor, file } = targetOf(page, link)
  if (!existsSync(join(repository, file))) return true
  return anchor !== null && file.endsWith(".md") && !anchorsOf(file).has(anchor)
}

const linkedFrom = (index: string): ReadonlySet<string> =>
  new Set(linksOf(index).map((link) => targetOf(index, link).file))

describe("the documentation", () => {
  it("links to files and anchors that exist", () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((link) => isBroken(page, link))
        .map((link) => `${page} → ${link}`)
    )
    expect(broken).toEqual([])
  })

  it("has an index of all pages, and one of all decisions", () => {
    const listed = [...linkedFrom("docs/README.md"), ...linkedFrom("docs/decisions/README.md"), "docs/README.md"]
    expect(pages.filter((page) => page.startsWith("docs/") && !listed.includes(page))).toEqual([])
  })

  it("is linked from the root README", () => {
    expect(linkedFrom("README.md").has("docs/README.md")).toBe(true)
  })
})
