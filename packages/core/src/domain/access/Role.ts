/** What a person may do, least first; each role includes the ones before it. */
export type Role = "agent" | "manager" | "admin" | "superuser"

/** Every role, least first. */
export const roles: ReadonlyArray<Role> = ["agent", "manager", "admin", "superuser"]

/** Whether `role` includes the rights of `needed`. */
export const includesRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** Reads a role from a claim; null when it names none. Exact: a role in another case is none. */
export const parseRole = (claim: unknown): Role | null => roles.find((role) => role === claim) ?? null
