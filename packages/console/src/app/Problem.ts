import { isLeadloomError } from "@leadloom/client"
import { text } from "../text/Shared.ts"

/** Returns the text that explains a failed request to the person. */
export const problemText = (error: unknown): string => {
  if (isLeadloomError(error, "FORBIDDEN")) return text.problem.forbidden
  if (isLeadloomError(error, "NOT_FOUND")) return text.problem.notFound
  if (isLeadloomError(error, "NETWORK_ERROR", "TIMEOUT")) return text.problem.offline
  return error instanceof Error ? error.message : String(error)
}
