/** The location of a database. */
export type DatabaseUrl =
  | { readonly kind: "sqlite"; readonly filename: string }
  | { readonly kind: "postgres"; readonly url: string }

/** Parses `sqlite:<file path>` or `postgres://user:password@host:port/database`. Returns null for any other text. */
export const readDatabaseUrl = (url: string): DatabaseUrl | null => {
  const [scheme = "", ...rest] = url.split(":")
  const place = rest.join(":")
  if (scheme === "sqlite" && place !== "") return { kind: "sqlite", filename: place }
  return /^postgres(?:ql)?:\/\/[^/]/u.test(url) && URL.canParse(url) ? { kind: "postgres", url } : null
}

/**
 * Returns the name of a database for logs and reports, which is the URL without the password and without parameters.
 * Parameters are left out, because one of them may contain a password.
 */
export const databaseName = (database: DatabaseUrl): string => {
  if (database.kind === "sqlite") return `sqlite:${database.filename}`
  const { hostname, pathname, port, username } = new URL(database.url)
  return `postgres://${username === "" ? "" : `${username}@`}${hostname}${port === "" ? "" : `:${port}`}${pathname}`
}
