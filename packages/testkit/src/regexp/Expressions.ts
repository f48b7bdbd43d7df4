import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { parseSync, Visitor } from "vite"
import { repository, sourcesOf } from "../Sources.ts"

/** A regular expression in the sources. */
export interface Expression {
  /** The path from the root of the repository. */
  readonly path: string
  /** Starts at 1. */
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** A place in the code that constructs an expression, and the source text of the construction. */
export interface Construction {
  readonly path: string
  readonly line: number
  readonly text: string
}

interface Parsed {
  readonly literals: ReadonlyArray<Expression>
  readonly constructions: ReadonlyArray<Construction>
}

const actionLine = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const parse = (path: string, text: string): Parsed => {
  const literals: Array<Expression> = []
  const constructions: Array<Construction> = []
  const construct = (
    node: { readonly start: number; readonly end: number },
    callee: { readonly type: string }
  ): void => {
    if (!("name" in callee) || callee.name !== "RegExp") return
    constructions.push({ path, line: actionLine(text, node.start), text: text.slice(node.start, node.end) })
  }
  new Visitor({
    Literal: (node) => {
      if (!("regex" in node)) return
      const { flags, pattern } = node.regex
      literals.push({ path, line: actionLine(text, node.start), source: pattern, flags })
    },
    NewExpression: (node) => construct(node, node.callee),
    CallExpression: (node) => construct(node, node.callee)
  }).visit(parseSync(path, text).program)
  return { literals, constructions }
}

/** The script runs in a separate process, in which no module has been loaded yet. */
const script = fileURLToPath(new URL("RecordConstructed.ts", import.meta.url))

/** Returns the expressions that modules construct when they are loaded. */
const constructedBy = async (paths: ReadonlyArray<string>): Promise<ReadonlyArray<Expression>> => {
  const flags = ["--conditions=leadloom:source", "--no-warnings"]
  const files = paths.map((path) => join(repository, path))
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, repository, ...files])
  return JSON.parse(stdout) as ReadonlyArray<Expression>
}

/** The expressions of packages, and the constructions that run after their modules were loaded. */
export interface Collected {
  readonly expressions: ReadonlyArray<Expression>
  readonly unseen: ReadonlyArray<Construction>
}

/** Collects all regular expressions in the sources of packages. */
export const collectExpressions = async (packageNames: ReadonlyArray<string>): Promise<Collected> => {
  const parsed = packageNames.flatMap(sourcesOf).map(({ path, text }) => parse(path, text))
  const constructions = parsed.flatMap((file) => file.constructions)
  const constructed = await constructedBy([...new Set(constructions.map(({ path }) => path))])
  const isSeen = ({ path, line }: Construction): boolean =>
    constructed.some((expression) => expression.path === path && expression.line === line)
  return {
    expressions: [...parsed.flatMap((file) => file.literals), ...constructed],
    unseen: constructions.filter((construction) => !isSeen(construction))
  }
}
