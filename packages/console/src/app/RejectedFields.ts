import { isLeadloomError } from "@leadloom/client"
import { problemText } from "./Problem.ts"

/** A rejected field of a request, as error details name it. */
interface Issue {
  readonly path: string
  readonly message: string
}

/** More rejected fields than this do not help the person. */
const maxIssues = 3

const isIssue = (value: unknown): value is Issue =>
  typeof value === "object" && value !== null && "path" in value && "message" in value

/** Returns the fields that a failed request names, each with the reason. */
export const issuesOf = (error: unknown): ReadonlyArray<Issue> =>
  isLeadloomError(error) && Array.isArray(error.details) ? error.details.filter(isIssue) : []

/** Returns the text that names the rejected fields of a failed request with their reasons; otherwise its problem. */
export const reasonText = (error: unknown): string => {
  const issues = issuesOf(error).slice(0, maxIssues)
  return issues.length === 0 ? problemText(error) : issues.map(({ message, path }) => `${path}: ${message}`).join(" ")
}
