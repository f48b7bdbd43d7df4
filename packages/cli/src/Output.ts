import type { Explanation } from "./Failure.ts"
import type { Terminal } from "./Terminal.ts"

/** Writes a result to standard output: one JSON document with `--json`, otherwise text. */
export const show = (terminal: Terminal, json: boolean, value: unknown, words: () => string): void => {
  terminal.out(json ? `${JSON.stringify(value, null, 2)}\n` : words())
}

const isIssue = (value: unknown): value is { readonly path: string; readonly message: string } =>
  typeof value === "object" && value !== null && "path" in value && "message" in value

/** Writes a failure to standard error. Standard output contains only results. */
export const report = (terminal: Terminal, json: boolean, failure: Explanation): void => {
  const { code, message, details, requestId } = failure
  if (json) {
    terminal.err(`${JSON.stringify({ error: { code, message, details, request_id: requestId } })}\n`)
    return
  }
  const issues = Array.isArray(details) ? details.filter(isIssue) : []
  const lines = issues.map((issue) => `  ${issue.path === "" ? "(all)" : issue.path}: ${issue.message}\n`)
  const trace = code === "INTERNAL" && requestId !== null ? ` (${requestId})` : ""
  terminal.err(`${message}${trace}\n${lines.join("")}`)
}
