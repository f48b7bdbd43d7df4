/** A JSON column holds something that this store did not write. */
const foreign = (text: string): Error => new Error(`A JSON column holds ${text.slice(0, 60)}`)

const none: ReadonlyArray<never> = []

/** Reads a column that holds a JSON array of what this store put there. Throws when it holds anything else. */
export const readArray = <A>(column: string): ReadonlyArray<A> => {
  if (column === "[]") return none
  const value: unknown = JSON.parse(column)
  if (!Array.isArray(value)) throw foreign(column)
  return value
}

const isObject = <A extends object>(value: unknown): value is A =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads a column that holds a JSON object of what this store put there. Throws when it holds anything else. */
export const readObject = <A extends object>(column: string): A => {
  const value: unknown = JSON.parse(column)
  if (!isObject<A>(value)) throw foreign(column)
  return value
}
