import { isLeadloomError } from "@leadloom/client"
import { problemText } from "../app/Problem.ts"
import { signInText } from "../text/SignIn.ts"
import { NoAccess, OtherTenant } from "./Credentials.ts"
import { ProviderProblem } from "./Provider.ts"

/** Explains why a pasted key opens nothing. */
export const keyProblem = (error: unknown): string =>
  error instanceof OtherTenant || isLeadloomError(error, "UNAUTHORIZED", "FORBIDDEN")
    ? signInText.refused
    : problemText(error)

/** Explains why a sign-in link opens nothing. */
export const linkProblem = (error: unknown): string =>
  isLeadloomError(error, "UNAUTHORIZED", "BAD_REQUEST") ? signInText.usedLink : problemText(error)

/** Explains why the identity provider or the server does not sign a person in. */
export const providerProblem = (error: unknown): string => {
  if (error instanceof ProviderProblem) return signInText.provider[error.failure]
  if (error instanceof NoAccess || isLeadloomError(error, "FORBIDDEN")) return signInText.provider.noAccess
  if (isLeadloomError(error, "UNAUTHORIZED")) return signInText.provider.notAccepted
  if (isLeadloomError(error, "NOT_FOUND")) return signInText.provider.noTenant
  return problemText(error)
}
