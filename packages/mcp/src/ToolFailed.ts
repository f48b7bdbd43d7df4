import type { LeadloomError } from "@leadloom/client"
import { isLeadloomError } from "@leadloom/client"

/** A failed tool call with the message for the language model: the cause and the next step. */
export class ToolFailed extends Error {
  override readonly name = "ToolFailed"
}

/** The maximum number of invalid fields in a message. */
const maxIssues = 10
/** The maximum length of a message in characters. */
const maxLength = 2_000

interface Issue {
  readonly path: string
  readonly message: string
}

const isIssue = (value: unknown): value is Issue =>
  typeof value === "object" && value !== null && "path" in value && "message" in value

/** Formats a failure as its code, its message and one line per invalid field. */
export const formatFailure = (code: string, message: string, issues: ReadonlyArray<Issue> = []): string => {
  const lines = issues
    .slice(0, maxIssues)
    .map((issue) => `\n- ${issue.path === "" ? "(all)" : issue.path}: ${issue.message}`)
  return `${code}: ${message}${lines.join("")}`.slice(0, maxLength).toWellFormed()
}

const nextStep = ({ code, requestId, retryAfter }: LeadloomError): string => {
  if (retryAfter !== null) return ` Try again after ${retryAfter} s.`
  if (code === "NETWORK_ERROR") return " Start the server with leadloom serve, or set another URL with LEADLOOM_URL."
  return code === "INTERNAL" && requestId !== null ? ` The operator finds the cause in the log under ${requestId}.` : ""
}

/** Returns the message of an expected failure: the API's message with the next step. Null for a defect. */
export const failureMessage = (error: unknown): string | null => {
  if (error instanceof ToolFailed) return error.message
  if (!isLeadloomError(error)) return null
  const issues: ReadonlyArray<unknown> = Array.isArray(error.details) ? error.details : []
  return formatFailure(error.code, `${error.message}${nextStep(error)}`, issues.filter(isIssue))
}
