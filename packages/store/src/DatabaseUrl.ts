/** A database by its URL. */
export type DatabaseUrl =
  | { readonly kind: "sqlite"; readonly filename: string }
  | { readonly kind: "postgres"; readonly url: string }

/** Reads `sqlite:<path of a file>` or `postgres://user:password@host:port/database`; null when it is neither. */
export const readDatabaseUrl = (url: string): DatabaseUrl | null => {
  const [scheme = "", ...rest] = url.split(":")
  const place = rest.join(":")
  if (scheme === "sqlite" && place !== "") return { kind: "sqlite", filename: place }
  return /^postgres(?:ql)?:\/\/[^/]/u.test(url) && URL.canParse(url) ? { kind: "postgres", url } : null
}

/** What a database is called in front of people: its URL without password, or any parameter that might be one. */
export const databaseName = (database: DatabaseUrl): string => {
  if (database.kind === "sqlite") return `sqlite:${database.filename}`
  const { hostname, pathname, port, username } = new URL(database.url)
  return `postgres://${username === "" ? "" : `${username}@`}${hostname}${port === "" ? "" : `:${port}`}${pathname}`
}
