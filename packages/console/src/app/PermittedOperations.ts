import type { CredentialFacts } from "@leadloom/client"
import { callers, rows } from "./PermissionTable.ts"

/** The name of an operation of the contract, for example `contacts.create`. */
export type Operation = (typeof rows)[number]["operations"][number]

type Caller = (typeof callers)[number]

const callersOfIdToken = ({ role, tenant_ids }: CredentialFacts): ReadonlyArray<Caller> => {
  switch (role) {
    case null:
      return []
    case "admin":
      return [tenant_ids === null ? "ID token, admin of every tenant" : "ID token, admin"]
    default:
      return [`ID token, ${role}`]
  }
}

/** Returns the columns of the permission matrix that describe a credential. The rights of several columns add up. */
const callersOf = (credential: CredentialFacts): ReadonlyArray<Caller> => {
  switch (credential.kind) {
    case "api_key":
      return credential.scopes === null ? ["API key"] : credential.scopes.map((scope) => `API key, ${scope}` as const)
    case "session":
      return [credential.role === "manager" || credential.role === "admin" ? `session, ${credential.role}` : "session"]
    case "admin_key":
      return ["admin key"]
    case "id_token":
      return callersOfIdToken(credential)
  }
}

/** Returns the operations that a credential may perform on its own tenants. */
export const permittedOperations = (credential: CredentialFacts): ReadonlySet<Operation> => {
  const positions = callersOf(credential).map((caller) => callers.indexOf(caller))
  const permitted = rows.filter((row) => positions.some((position) => row.callers.some((each) => each === position)))
  return new Set(permitted.flatMap(({ operations }): ReadonlyArray<Operation> => operations))
}
