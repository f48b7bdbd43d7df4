import { closestName } from "@leadloom/core/internal/domain/text/ClosestName"
import { variableCatalog } from "./VariableCatalog.ts"
import type { Environment } from "./Variables.ts"

const prefix = "LEADLOOM_"

/** Variables that the command line or the tests read, but the server does not. */
const otherReaders = /^LEADLOOM_(?:URL|API_KEY|TENANT|TEST_\w+)$/u

/** Names that Kubernetes sets in every pod of a namespace with a Service whose name begins with `leadloom`. */
const serviceLink = /_SERVICE_(?:HOST|PORT(?:_\w{1,64})?)$|_PORT_\d{1,5}_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/u

const known = Object.keys(variableCatalog)
const shortNames = known.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))

const mistakeOf = (name: string): string => {
  if (serviceLink.test(name))
    return `${name} is not a variable of Leadloom. Kubernetes sets it for a Service. Set enableServiceLinks: false in the pod.`
  const closest = closestName(name.slice(prefix.length), shortNames)
  return closest === null
    ? `${name} is not a variable of Leadloom. Unset it. To list all variables, run: leadloom init --out -`
    : `${name} is not a variable of Leadloom. Did you mean ${prefix}${closest}?`
}

/**
 * Returns one line for each variable whose name begins with `LEADLOOM_` and that nothing reads. A misspelled name would
 * otherwise have no effect. Empty variables count as unset.
 */
export const unknownVariables = (env: Environment): ReadonlyArray<string> =>
  Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !otherReaders.test(name))
    .filter((name) => (env[name] ?? "").trim() !== "")
    .toSorted()
    .map(mistakeOf)
